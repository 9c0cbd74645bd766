/** Finished sites of a few files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../support/run/index.ts";

export function siteOf(files: Readonly<Record<string, string>>): string {
  const outDir = tempFolder("dist");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outDir, name)), { recursive: true });
    writeFileSync(join(outDir, name), text);
  }
  return outDir;
}
