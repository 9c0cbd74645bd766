/** The parent's side of the encoder: it never opens a picture itself. */
import { availableParallelism } from "node:os";
import { type FailureReason, FAILURES, PictureFailed } from "../failures.ts";
import { ChildFailed } from "../pool/child.ts";
import { JobRefused, Pool } from "../pool/pool.ts";
import type { EncodedPicture } from "./encode.ts";

/** More pictures at a time gain little and take memory. */
const MOST_LANES = 8;

export class Encoder {
  readonly #pool: Pool<Uint8Array, EncodedPicture>;

  /** @param lanes pictures at a time */
  constructor(lanes = Math.min(availableParallelism(), MOST_LANES)) {
    this.#pool = new Pool({
      entry: new URL("./main.ts", import.meta.url),
      env: { UV_THREADPOOL_SIZE: String(lanes) },
      lanes,
      jobTimeoutMs: 15_000,
      maxRss: 450 * 1_048_576,
    });
  }

  /** @throws {PictureFailed} */
  async encode(bytes: Uint8Array): Promise<EncodedPicture> {
    try {
      return await this.#pool.run(bytes);
    } catch (error) {
      if (error instanceof ChildFailed) throw new PictureFailed("decoder-failed", error.message);
      if (error instanceof JobRefused && isFailureReason(error.reason)) {
        throw new PictureFailed(error.reason, error.message);
      }
      throw error;
    }
  }

  close(): void {
    this.#pool.close();
  }
}

function isFailureReason(word: string): word is FailureReason {
  return Object.hasOwn(FAILURES, word);
}
