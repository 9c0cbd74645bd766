/**
 * The pages of a build as files: which there are, which of them this machine renders, which need it.
 *
 * Two pages that want one file are a mistake of the site's and end the build.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { hash } from "node:crypto";
import { UNKEYED, type Entry } from "./ledger/ledger.ts";
import type { RoutePages } from "./inside/types.ts";

/** One share of the pages, of `count` shares. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** A file made by a page. */
export interface PageFile {
  readonly file: string;
  /** What it is made from: the bundle's digest and the page's own key. */
  readonly key: string;
  /** The list it stands in, and where. */
  readonly pages: RoutePages;
  readonly index: number;
}

/** Every file this machine is to have, in the order of the routes. */
export function* pageFiles(
  routes: readonly RoutePages[],
  bundleDigest: string,
  shard: Shard | null,
): Generator<PageFile> {
  for (const pages of routes) {
    for (const [index, path] of pages.paths.entries()) {
      const file = fileOf(path, pages.endpoint);
      if (shard !== null && shardOf(file, shard.count) !== shard.index) continue;
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

/** The share a file belongs to, from 1: by its name alone, so that it stays when others come and go. */
export function shardOf(file: string, count: number): number {
  return (Number.parseInt(hash("sha256", file, "hex").slice(0, 12), 16) % count) + 1;
}

/** Whether a file is in the folder as it was recorded, and was made from the same. */
export function isCurrent(outDir: string, file: string, key: string, entry?: Entry): boolean {
  if (entry === undefined || entry.key !== key || key === UNKEYED) return false;
  const there = lstatSync(join(outDir, file), { throwIfNoEntry: false });
  return (
    there?.isFile() === true &&
    there.size === entry.size &&
    Math.floor(there.mtimeMs / 1_000) === entry.mtime
  );
}
