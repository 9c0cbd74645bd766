/** The parent's side of the cards: what can be set goes to a child process, and comes back as a PNG. */
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { atomicWrite } from "../../files/atomic-write.ts";
import { digest } from "../cache/files.ts";
import { Pool } from "../pool/pool.ts";
import type { CardJob } from "./draw.ts";
import { fontsConf } from "./type/fontconfig.ts";

/** Raise with every change of how cards look. */
const RECIPE = "2";

/** More cards at a time gain little and take memory. */
const MOST_LANES = 8;

/** Names a card by all that decides how it looks. */
export function cardDigest(job: CardJob): string {
  return digest(JSON.stringify([RECIPE, job]));
}

/**
 * @param cacheDir where the list of fonts may be written
 * @param lanes cards at a time
 */
export function openPress(
  cacheDir: string,
  lanes = Math.min(availableParallelism(), MOST_LANES),
): Pool<CardJob, Uint8Array> {
  mkdirSync(cacheDir, { recursive: true });
  const config = resolve(join(cacheDir, "fonts.conf"));
  atomicWrite(config, fontsConf(resolve(join(cacheDir, "fontconfig"))));
  return new Pool({
    entry: new URL("./main.ts", import.meta.url),
    env: { FONTCONFIG_FILE: config, UV_THREADPOOL_SIZE: String(lanes) },
    lanes,
    jobTimeoutMs: 20_000,
    maxRss: 450 * 1_048_576,
  });
}
