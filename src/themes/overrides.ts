/**
 * Which file is used in place of another: a file of `site/`, else of the theme, else of a theme that it extends, replaces
 * the file of the same path below `src`.
 *
 * Imports are redirected, so every page gets the override; the override itself may import the file that it replaces.
 */
import { existsSync } from "node:fs";
import nodePath from "node:path";

/** Folders of `src` whose files may be overridden. */
const MIRRORED = ["components", "layouts"];

export interface Layers {
  /** Folders that mirror `src`, the first wins; the last is `src` itself. Absolute. */
  readonly folders: readonly string[];
  readonly exists?: (file: string) => boolean;
  /** Rules of another system's paths, for tests. */
  readonly path?: Pick<typeof nodePath, "join" | "relative" | "sep">;
}

/**
 * The file to use for a file of one of the layers.
 *
 * @param importer the file that asks: an override gets what it replaces, and not itself
 * @returns with slashes, as Vite writes paths; null where the file is the right one
 */
export function overrideOf(file: string, importer: string, layers: Layers): string | null {
  const { folders, exists = existsSync, path = nodePath } = layers;
  const same = (a: string, b: string): boolean => path.relative(a, b) === "";
  for (const folder of folders) {
    const inside = path.relative(folder, file);
    if (!MIRRORED.includes(inside.split(path.sep)[0] ?? "")) continue;
    const candidates = folders.map((layer) => path.join(layer, inside)).filter(exists);
    const asking = candidates.findIndex((candidate) => same(candidate, importer));
    const found = candidates[asking + 1];
    return found === undefined || same(found, file) ? null : found.replaceAll("\\", "/");
  }
  return null;
}
