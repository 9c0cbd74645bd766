/** The parent's side of the encoder: it never opens a picture itself. */
import { availableParallelism } from "node:os";
import { type FailureReason, FAILURES, PictureFailed } from "../failures.ts";
import { ChildFailed } from "../pool/child.ts";
import { JobRefused, Pool } from "../pool/pool.ts";
import type { EncodedPicture } from "./encode.ts";

/** More children than this gain little and cost 100 MB each. */
const MOST_CHILDREN = 4;

export class Encoder {
  readonly #pool: Pool<Uint8Array, EncodedPicture>;

  constructor(size = Math.min(availableParallelism(), MOST_CHILDREN)) {
    this.#pool = new Pool({
      entry: new URL("./main.ts", import.meta.url),
      env: {},
      size,
      jobTimeoutMs: 10_000,
      maxRss: 170 * 1_048_576,
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
