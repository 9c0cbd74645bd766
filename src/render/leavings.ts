/** Files that no longer belong into the output folder. */
import { existsSync } from "node:fs";
import { filesBelow } from "../files/walk.ts";

/**
 * Pages and bundled assets in a folder that nothing is known about: what an earlier build may have left.
 *
 * Other files are other programs' business, and so is a hidden folder.
 */
export function* strangers(outDir: string, known: (path: string) => boolean): Generator<string> {
  if (!existsSync(outDir)) return;
  const enter = (folder: string): boolean => !/(?:^|\/)(?:\.[^/]*|node_modules)$/.test(folder);
  for (const path of filesBelow(outDir, { links: "all", enter })) {
    const ours = path.endsWith(".html") || path.startsWith("_astro/");
    if (ours && !known(path)) yield path;
  }
}
