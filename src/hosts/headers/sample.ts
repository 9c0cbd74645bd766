/**
 * Some pages of each part of a finished site, whose policies stand for the others: pages of one template have one
 * policy, and templates differ by how deep their pages lie.
 */
import { closeSync, openSync, readdirSync, readSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { REPORT_FILE, REPORT_FILES } from "../../files/ownership.ts";
import { policyOf, type Policy } from "./policy.ts";

/** A folder or a file at the top of a site. */
export interface Part {
  readonly name: string;
  readonly isFolder: boolean;
  /** Of the pages in it that were read; empty where it has no page. */
  readonly policies: readonly Policy[];
}

/** Files that only the host reads. */
const HOST_FILES = new Set(["_headers", "_redirects", "vercel.json"]);

/** Pages and folders looked at on each level of a part. */
const EACH_LEVEL = 40;

/** Bytes of a page that contain its policy: structured data may come before it. */
const HEAD_BYTES = 65_536;

/** The build report is always among them: it is written after the headers. */
export function partsOf(outDir: string): Part[] {
  const parts = readdirSync(outDir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter((entry) => !HOST_FILES.has(entry.name) && !REPORT_FILES.has(entry.name))
    .map((entry): Part => {
      const files = entry.isDirectory()
        ? somePages(join(outDir, entry.name))
        : [join(outDir, entry.name)].filter((file) => file.endsWith(".html"));
      const policies = files
        .map((file) => policyOf(head(file)))
        .filter((policy) => policy !== null);
      return { name: entry.name, isFolder: entry.isDirectory(), policies };
    });
  return [...parts, { name: REPORT_FILE, isFolder: false, policies: [] }];
}

function somePages(folder: string): string[] {
  const pages: string[] = [];
  for (let level = [folder]; level.length > 0;) {
    const entries = level.flatMap((path) =>
      readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    const some = (wanted: (entry: Dirent) => boolean): string[] =>
      spread(entries.filter(wanted)).map(({ parentPath, name }) => join(parentPath, name));
    pages.push(...some((entry) => entry.isFile() && entry.name.endsWith(".html")));
    level = some((entry) => entry.isDirectory());
  }
  return pages;
}

/** As many as are looked at, from all over the list. */
function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, all.length / EACH_LEVEL);
  return Array.from(
    { length: Math.min(all.length, EACH_LEVEL) },
    (_, place) => all[Math.floor(place * step)],
  ).filter((item) => item !== undefined);
}

function head(path: string): string {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
