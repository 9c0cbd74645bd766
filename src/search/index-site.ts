/**
 * Makes the search index of a finished site: Pagefind reads the listings of each language into a bundle of its own,
 * `dist/pagefind/<code>/`.
 *
 * A language whose listings hold the cards of the last run is not indexed again, and a file that came out the same is not
 * touched.
 */
import { createHash, hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { eachOf } from "../contract/work.ts";
import { languageOf } from "../contract/languages.ts";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { makeBundle, pagefindVersion } from "./pagefind.ts";

export interface SearchOptions {
  readonly outDir: string;
  readonly stateDir: string;
  /** Ids of the quotes that a person chose; null where that is unknown. */
  readonly curated: Iterable<number> | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

export type SearchReport = Readonly<Awaited<ReturnType<typeof indexSite>>>;

/** Folder of `dist`, and the name that pages import it by. */
const SEARCH_FOLDER = "pagefind";

/** Ids of the curated quotes, as JSON, which the page loads when a reader asks for these only. */
const CURATED_FILE = "curated.json";

/** Pagefind uses one core for most of its work, and about 1 GB of memory for 100,000 quotes of one language. */
const MOST_PROCESSES = 2;

/** Raise it when the same listings give another index. */
const VERSION = 6;

/** Pagefind's ready-made interfaces and its worker: the search page needs none of them. */
const UNUSED = /^pagefind-(?:.+-ui|ui|highlight|worker)\./;

/** Names the parts of a bundle. */
const ENTRY = "pagefind-entry.json";

/**
 * @throws {DiskError} when the index cannot be written
 * @throws the reason of `signal`
 */
export async function indexSite(options: SearchOptions) {
  const { outDir, stateDir, curated, signal, onProgress } = options;
  const folders = new Folders(outDir);
  const target = join(outDir, SEARCH_FOLDER);
  const keyFile = join(stateDir, "search.key");
  const unfinished = join(stateDir, "search.unfinished");
  makeFolder(stateDir);
  rmSync(unfinished, { recursive: true, force: true });
  // A file that was cut claims nothing: every language is indexed again.
  const known = existsSync(keyFile) ? parseJson(readFileSync(keyFile, "utf8")) : undefined;
  /** By language: digests of its listings and of its bundle. */
  const keys = { ...(known as Record<string, string> | undefined) };
  const writeKeys = (): void => atomicWrite(keyFile, JSON.stringify(keys, null, 2));
  const report = {
    languages: 0,
    /** Listing pages that the index holds. */
    pages: 0,
    /** Languages that Pagefind had to read. */
    indexed: 0,
    /** Files that differ from the last run's, or are gone. */
    changed: 0,
  };
  const languages = languagesOf(outDir);
  const index = async ([code, pages]: Listings): Promise<void> => {
    signal?.throwIfAborted();
    const bundle = join(target, code);
    const digest = digestOf(outDir, pages);
    report.languages++;
    report.pages += pages.length;
    if (keys[code] === keyOf(digest, bundle)) return;
    onProgress?.(`${pages.length} pages of ${code}`);
    // Until it is whole, nothing may be claimed of this bundle.
    keys[code] = "";
    writeKeys();
    const output = join(unfinished, code);
    makeFolder(output);
    const { tag: language } = languageOf(code);
    const glob = `language/${code}/**/index.html`;
    await makeBundle({ site: outDir, glob, language, output, signal });
    report.changed += moveInto(output, folders, `${SEARCH_FOLDER}/${code}`);
    report.indexed++;
    keys[code] = keyOf(digest, bundle);
  };
  try {
    await eachOf(languages, Math.min(availableParallelism(), MOST_PROCESSES), index);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  const codes = new Set(languages.map(([code]) => code));
  report.changed += removeBut(folders, SEARCH_FOLDER, (name) => {
    const [first = ""] = name.split("/");
    return first === CURATED_FILE || codes.has(first);
  });
  const file = `${SEARCH_FOLDER}/${CURATED_FILE}`;
  report.changed +=
    curated === null
      ? Number(folders.removeFile(file))
      : place(folders, file, Buffer.from(JSON.stringify([...curated])));
  for (const code of Object.keys(keys)) if (!codes.has(code)) delete keys[code];
  writeKeys();
  const sizes = [...listed(target).values()];
  return { ...report, files: sizes.length, bytes: sum(sizes) };
}

/** A language and the pages of its listing below the site, in order. */
type Listings = readonly [code: string, pages: readonly string[]];

/** The largest language first: it takes longer than all others together, and must not be the last to begin. */
function languagesOf(outDir: string): Listings[] {
  const pages = [...listed(join(outDir, "language")).keys()]
    .filter((file) => file.endsWith("/index.html"))
    .map((file) => `language/${file}`);
  return [...Map.groupBy(pages, (page) => page.split("/")[1] ?? "")]
    .filter(([code, all]) => all.includes(`language/${code}/index.html`))
    .sort(([a, { length: many }], [b, { length: more }]) => more - many || (a < b ? -1 : 1));
}

/** The likes of a card, which the index leaves out. */
const LIKES = /<li class="likes".*?<\/li>/gs;

/** Of the cards of the listings, without their likes: those and what else a page shows may change every day. */
function digestOf(outDir: string, pages: readonly string[]): string {
  const digest = createHash("sha256").update(`${VERSION} ${pagefindVersion()}`);
  for (const page of pages) {
    const html = readFileSync(join(outDir, page), "latin1");
    const start = Math.max(0, html.indexOf("data-pagefind-body"));
    const end = html.lastIndexOf("</article>");
    const cards = html.slice(start, end < start ? html.length : end).replace(LIKES, "");
    digest.update(`\n${page}\n`).update(cards, "latin1");
  }
  return digest.digest("hex");
}

/** Names and sizes are in the key, so that a bundle that was deleted or cut is made again. */
function keyOf(digest: string, bundle: string): string {
  const files = [...listed(bundle)].map(([name, size]) => `${name} ${size}`);
  return `${digest} ${hash("sha256", files.join("\n"))}`;
}

/** Every file below a folder with its size in bytes, by name and in its order; empty where there is no folder. */
function listed(folder: string): Map<string, number> {
  if (!existsSync(folder)) return new Map();
  const files = [...filesBelow(folder)].sort();
  return new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
}

/**
 * Replaces an old bundle by a new one, file by file; files that are the same are not touched.
 *
 * @param to folder below the root of `folders`
 * @returns how many files were written or removed
 * @throws {DiskError} when a folder is a link, or a file cannot be written
 */
function moveInto(from: string, folders: Folders, to: string): number {
  const wanted = listed(from);
  // Pagefind adds the program for languages without a stemmer to every bundle.
  const programs = wanted.keys().filter((name) => /^wasm\..*\.pagefind$/.test(name));
  if ([...programs].length > 1) wanted.delete("wasm.unknown.pagefind");
  for (const name of wanted.keys()) if (UNUSED.test(name)) wanted.delete(name);
  // Parts first: the entry, which names them, comes when they are all there.
  const names = [...wanted.keys()].sort((a, b) => Number(a === ENTRY) - Number(b === ENTRY));
  const changed = names.map((name) =>
    place(folders, `${to}/${name}`, readFileSync(join(from, name))),
  );
  return sum(changed) + removeBut(folders, to, (name) => wanted.has(name));
}

/** Writes a file, unless it is the same already. @returns how many files were written */
function place(folders: Folders, file: string, content: Buffer): 0 | 1 {
  const path = join(folders.root, file);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (
    there?.isFile() === true &&
    there.size === content.length &&
    content.equals(readFileSync(path))
  )
    return 0;
  folders.make(dirname(file));
  atomicWrite(path, content);
  return 1;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** @returns how many files of a folder were removed, as they are not to be kept */
function removeBut(folders: Folders, folder: string, isKept: (name: string) => boolean): number {
  const others = [...listed(join(folders.root, folder)).keys()].filter((name) => !isKept(name));
  return sum(others.map((name) => Number(folders.removeFile(`${folder}/${name}`))));
}
