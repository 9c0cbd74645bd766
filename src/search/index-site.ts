/**
 * Makes the search index of a finished site: Pagefind indexes the listings of each language as a bundle of its own,
 * `dist/pagefind/<code>/`.
 *
 * A language whose cards are unchanged is not indexed again, and an unchanged file is not written.
 */
import { createHash, hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { eachOf } from "../util/work.ts";
import { languageOf } from "../contract/languages.ts";
import { parseJson } from "../contract/decode.ts";
import { LISTS_FOLDER } from "../contract/search-lists.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { makeLists, type Names } from "./lists.ts";
import { readTokens } from "./tokens.ts";
import { makeBundle, pagefindVersion, programFault } from "./pagefind.ts";

export interface SearchOptions {
  readonly outDir: string;
  readonly stateDir: string;
  /** Ids of the curated quotes; null where they are unknown. */
  readonly curated: Iterable<number> | null;
  /** The listings of authors and of tags. */
  readonly names: Names;
  /** Pagefind's program; default that of its package. */
  readonly program?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

export type SearchReport = Readonly<Awaited<ReturnType<typeof indexSite>>>;

/** Folder of the site, which pages import. */
const SEARCH_FOLDER = "pagefind";

/** Ids of the curated quotes, as JSON; the search page loads them for a reader who filters by them. */
const CURATED_FILE = "curated.json";

/** A process uses one core most of the time, and about 1 GB of memory for 100,000 quotes of one language. */
const MOST_PROCESSES = 2;

/** Raise it with every change of the index that the same listings give. */
const VERSION = 7;

/** Pagefind's user interfaces and its worker, which the search page does not use. */
const UNUSED = /^pagefind-(?:.+-ui|ui|highlight|worker)\./;

/** Lists the parts of a bundle. */
const ENTRY = "pagefind-entry.json";

/**
 * A program that does not run on this machine leaves languages without an index, and the site complete: `fault` says why.
 *
 * @throws {DiskError} when the index cannot be written
 * @throws the reason of `signal`
 */
export async function indexSite(options: SearchOptions) {
  const { outDir, stateDir, curated, names, signal, onProgress } = options;
  const folders = new Folders(outDir);
  const target = join(outDir, SEARCH_FOLDER);
  const keyFile = join(stateDir, "search.key");
  const unfinished = join(stateDir, "search.unfinished");
  makeFolder(stateDir);
  rmSync(unfinished, { recursive: true, force: true });
  // Where the file is damaged, every language is indexed again.
  const known = existsSync(keyFile) ? parseJson(readFileSync(keyFile, "utf8")) : undefined;
  /** By language: digests of its listings and of its bundle. */
  const keys = { ...(known as Record<string, string> | undefined) };
  const writeKeys = (): void => atomicWrite(keyFile, JSON.stringify(keys, null, 2));
  const report = {
    languages: 0,
    /** Indexed listing pages. */
    pages: 0,
    indexed: 0,
    /** Files that were written or removed. */
    changed: 0,
    /** Why languages have no index; null where all have one. */
    fault: null as string | null,
  };
  /** Asked once, before the first language that needs the program. */
  let programChecked: Promise<string | null> | undefined;
  const languages = languagesOf(outDir);
  const index = async ([code, pages]: Listings): Promise<void> => {
    signal?.throwIfAborted();
    const bundle = join(target, code);
    const digest = digestOf(outDir, pages);
    report.languages++;
    report.pages += pages.length;
    if (keys[code] === keyOf(digest, bundle)) return;
    const fault = await (programChecked ??= programFault(options.program));
    if (fault !== null) {
      report.fault = fault;
      // An index of yesterday would lead to pages that changed.
      report.changed += removeBut(folders, `${SEARCH_FOLDER}/${code}`, () => false);
      return;
    }
    onProgress?.(`${pages.length} pages of ${code}`);
    // An interrupted run must not leave the key of an incomplete bundle.
    keys[code] = "";
    writeKeys();
    const output = join(unfinished, code);
    makeFolder(output);
    const { tag: language } = languageOf(code);
    const glob = `language/${code}/**/index.html`;
    await makeBundle({ site: outDir, glob, language, output, signal, program: options.program });
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
    return first === CURATED_FILE || first === LISTS_FOLDER || codes.has(first);
  });
  const tokens = new Map(
    languages.flatMap(([code]) => {
      const own = readTokens(join(target, code), join(stateDir, "search-words", code), keys[code]);
      return own === null ? [] : [[code, own] as const];
    }),
  );
  report.changed += placeLists(folders, makeLists(names, tokens));
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

type Listings = readonly [code: string, pages: readonly string[]];

/** The largest language first: it takes longer than all others together. */
function languagesOf(outDir: string): Listings[] {
  const pages = [...listed(join(outDir, "language")).keys()]
    .filter((file) => file.endsWith("/index.html"))
    .map((file) => `language/${file}`);
  return [...Map.groupBy(pages, (page) => page.split("/")[1] ?? "")]
    .filter(([code, all]) => all.includes(`language/${code}/index.html`))
    .sort(([a, { length: many }], [b, { length: more }]) => more - many || (a < b ? -1 : 1));
}

/** The likes of a card, which are not indexed. */
const LIKES = /<li class="likes".*?<\/li>/gs;

/** Digests the cards of the listings alone: their likes and the rest of a page may change every day. */
function digestOf(outDir: string, pages: readonly string[]): string {
  const digest = createHash("sha256").update(`${VERSION} ${pagefindVersion()}`);
  for (const page of pages) {
    const html = readFileSync(join(outDir, page), "latin1");
    // A page that redirects, in the place of one that the listing lost.
    if (html.includes('http-equiv="refresh"')) continue;
    const start = Math.max(0, html.indexOf("data-pagefind-body"));
    const end = html.lastIndexOf("</article>");
    const cards = html.slice(start, end < start ? html.length : end).replace(LIKES, "");
    digest.update(`\n${page}\n`).update(cards, "latin1");
  }
  return digest.digest("hex");
}

/** Includes names and sizes of the files, so that a damaged bundle is made again. */
function keyOf(digest: string, bundle: string): string {
  const files = [...listed(bundle)].map(([name, size]) => `${name} ${size}`);
  return `${digest} ${hash("sha256", files.join("\n"))}`;
}

/** Sizes in bytes of the files below a folder, by sorted path; empty where there is no folder. */
function listed(folder: string): Map<string, number> {
  if (!existsSync(folder)) return new Map();
  const files = [...filesBelow(folder)].sort();
  return new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
}

/**
 * Replaces a bundle; unchanged files are not written.
 *
 * @param to folder below the root of `folders`
 * @returns the number of files written or removed
 * @throws {DiskError} when a folder is a link, or a file cannot be written
 */
function moveInto(from: string, folders: Folders, to: string): number {
  const wanted = listed(from);
  // Pagefind adds the WebAssembly for languages without a stemmer to every bundle.
  const programs = wanted.keys().filter((name) => /^wasm\..*\.pagefind$/.test(name));
  if ([...programs].length > 1) wanted.delete("wasm.unknown.pagefind");
  for (const name of wanted.keys()) if (UNUSED.test(name)) wanted.delete(name);
  // The entry is last, when all parts that it lists exist.
  const names = [...wanted.keys()].sort((a, b) => Number(a === ENTRY) - Number(b === ENTRY));
  const changed = names.map((name) =>
    place(folders, `${to}/${name}`, readFileSync(join(from, name))),
  );
  return sum(changed) + removeBut(folders, to, (name) => wanted.has(name));
}

/** Replaces the lists. The index is last, when all files that it names exist. @returns the number of files written or removed */
function placeLists(folders: Folders, files: ReadonlyMap<string, string>): number {
  const folder = `${SEARCH_FOLDER}/${LISTS_FOLDER}`;
  const changed = Array.from(files, ([name, content]) =>
    place(folders, `${folder}/${name}`, Buffer.from(content)),
  );
  return sum(changed) + removeBut(folders, folder, (name) => files.has(name));
}

/** @returns the number of files written: 0 where the file has this content */
function place(folders: Folders, file: string, content: Buffer): 0 | 1 {
  const path = join(folders.root, file);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isFile() && there.size === content.length && content.equals(readFileSync(path)))
    return 0;
  folders.make(dirname(file));
  atomicWrite(path, content);
  return 1;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Removes the other files of a folder. @returns their number */
function removeBut(folders: Folders, folder: string, isKept: (name: string) => boolean): number {
  const others = [...listed(join(folders.root, folder)).keys()].filter((name) => !isKept(name));
  return sum(others.map((name) => Number(folders.removeFile(`${folder}/${name}`))));
}
