/**
 * One digest over everything a bundle is made of: the sources, the lockfile, the settings pages may know, this runtime.
 *
 * The runtime counts because its `Intl` data does: a new ICU may write a number or a language's name otherwise.
 */
import { createHash, hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** What the project's root holds that decides how a page looks; the rest is documents and state. */
const FOLDERS = ["src", "public"];
const FILES = /^(?:astro\.config\.(?:mjs|js|ts|mts)|package(?:-lock)?\.json|tsconfig\.json)$/;

/** The engine goes into the bundle with the pages. */
const ENGINE = join(import.meta.dirname, "..");

export interface Sources {
  /** The folder of `astro.config.mjs`. */
  readonly root: string;
  /** Folders outside of the root that the pages import from. */
  readonly alsoFrom?: readonly string[];
  /** Environment of the pages, by variable. */
  readonly environment: Readonly<Record<string, string>>;
}

/** @returns 16 hexadecimal digits */
export function sourceDigest({ root, alsoFrom = [], environment }: Sources): string {
  const digest = createHash("sha256");
  const { node, icu, unicode, tz } = process.versions;
  digest.update(JSON.stringify([node, icu, unicode, tz, Object.entries(environment).sort()]));
  const add = (name: string, file: string): void => {
    digest.update(`\0${name}\0${hash("sha256", readFileSync(file), "hex")}`);
  };
  for (const name of readdirSync(root).sort()) if (FILES.test(name)) add(name, join(root, name));
  for (const folder of FOLDERS) addFolder(join(root, folder), folder, add);
  for (const folder of [ENGINE, ...alsoFrom]) addFolder(folder, basename(folder), add);
  return digest.digest("hex").slice(0, 16);
}

function addFolder(folder: string, name: string, add: (name: string, file: string) => void): void {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(path, `${name}/${entry.name}`, add);
    else add(`${name}/${entry.name}`, path);
  }
}
