/** The parent's side of the cards: what can be set goes to a child process, and comes back as a PNG. */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { digest } from "../cache/files.ts";
import { Pool } from "../pool/pool.ts";
import type { CardJob } from "./draw.ts";
import { fontsConf } from "./type/fontconfig.ts";

/** Raise with every change of how cards look. */
const RECIPE = "1";

/** More children than this gain little and cost 100 MB each. */
const MOST_CHILDREN = 4;

/** Names a card by all that decides how it looks. */
export function cardDigest(job: CardJob): string {
  return digest(JSON.stringify([RECIPE, job]));
}

/** @param cacheDir where the list of fonts may be written */
export function openPress(
  cacheDir: string,
  size = Math.min(availableParallelism(), MOST_CHILDREN),
): Pool<CardJob, Uint8Array> {
  mkdirSync(cacheDir, { recursive: true });
  const config = resolve(join(cacheDir, "fonts.conf"));
  writeFileSync(config, fontsConf(resolve(join(cacheDir, "fontconfig"))));
  return new Pool({
    entry: new URL("./main.ts", import.meta.url),
    env: { FONTCONFIG_FILE: config },
    size,
    jobTimeoutMs: 20_000,
    maxRss: 250 * 1_048_576,
  });
}
