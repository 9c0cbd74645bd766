/**
 * Finds what a component of a site or theme reads beside its props. No cache key of a page covers it, so that a page which is otherwise
 * unchanged would keep what it showed before (docs/components.md).
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MIRRORED } from "./overrides.ts";

const CODE = `{${MIRRORED.join()}}/**/*.{astro,js,mjs,ts,jsx,tsx}`;

/** The collection as a whole, files, variables, another host and the time. */
const READS =
  /\bopenSite\s*\(|\breadFile(?:Sync)?\s*\(|\bprocess\.env\b|\bfetch\s*\(|\bnew Date\(\s*\)/;

/** The part of a file before its first script: what runs in a browser reads at each visit. */
const onServer = (text: string): string => text.split("<script", 1)[0] ?? "";

/** @param folders of the site and its themes */
export const readsBeyondProps = (folders: readonly string[]): boolean =>
  folders.some((folder) =>
    globSync(CODE, { cwd: folder }).some((file) =>
      READS.test(onServer(readFileSync(join(folder, file), "utf8"))),
    ),
  );
