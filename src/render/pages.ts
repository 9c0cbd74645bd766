/**
 * The pages of a build as files, and which of them are in the output folder already, made from the same.
 *
 * Size and date are believed; a file that was tampered with in the same second, to the same length, is not found out.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { UNKEYED, type Entry } from "./ledger/ledger.ts";
import type { RoutePages } from "./inside/types.ts";

/** A file made by a page. */
export interface PageFile {
  readonly file: string;
  /** What it is made from: the bundle's digest and the page's own key. */
  readonly key: string;
  /** The list it stands in, and where. */
  readonly pages: RoutePages;
  readonly index: number;
}

/** The files of all pages, in the order of the routes. */
export function* pageFiles(
  routes: readonly RoutePages[],
  bundleDigest: string,
): Generator<PageFile> {
  for (const pages of routes) {
    for (const [index, path] of pages.paths.entries()) {
      const file = fileOf(path, pages.endpoint);
      const own = pages.keys[index] ?? null;
      yield { file, key: own === null ? UNKEYED : `${bundleDigest} ${own}`, pages, index };
    }
  }
}

/** `/tag/hope/` is `tag/hope/index.html`; an endpoint names its file; `/404` is `404.html`. */
export function fileOf(path: string, endpoint: boolean): string {
  const inside = path.replace(/^\/+|\/+$/g, "");
  if (endpoint) return inside;
  if (inside === "404" || inside === "500") return `${inside}.html`;
  return inside === "" ? "index.html" : `${inside}/index.html`;
}

/** Whether a file as it was recorded was made from the same. */
export function isOf(key: string, entry?: Entry): entry is Entry {
  return entry?.trusted === 1 && entry.key === key && key !== UNKEYED;
}

/** Whether such a file is in the folder. */
export function isCurrent(outDir: string, file: string, key: string, entry?: Entry): boolean {
  return isOf(key, entry) && isAsRecorded(outDir, file, entry);
}

/** Every trusted file that is in the folder as it was recorded. */
export function filesAsRecorded(
  outDir: string,
  entries: ReadonlyMap<string, Entry>,
): ReadonlySet<string> {
  const files = new Set<string>();
  for (const [file, entry] of entries) {
    if (entry.trusted === 1 && isAsRecorded(outDir, file, entry)) files.add(file);
  }
  return files;
}

export function isAsRecorded(outDir: string, file: string, entry: Entry): boolean {
  const there = lstatSync(join(outDir, file), { throwIfNoEntry: false });
  return (
    there?.isFile() === true &&
    there.size === entry.size &&
    Math.floor(there.mtimeMs / 1_000) === entry.mtime
  );
}
