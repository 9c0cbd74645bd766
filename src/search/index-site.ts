/**
 * Makes the search index of a finished site: Pagefind indexes the cards of each language as a bundle of its own,
 * `dist/pagefind/<code>/`.
 *
 * A language whose cards are unchanged but for their likes and their order is not indexed again: files beside the index say where
 * each quote is in its listing. An unchanged file is not written.
 */
import { createHash, hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { eachOf } from "../util/work.ts";
import { languageOf } from "../contract/languages.ts";
import { parseJson } from "../contract/decode.ts";
import { LISTS_FOLDER, RANKS_FOLDER, rankFileOf, type RankFile } from "../contract/search-lists.ts";
import { atomicWrite, makeFolder, onDisk } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { documentsOf, type SearchDocument } from "./documents.ts";
import { makeLists, type Names } from "./lists.ts";
import { readBundle } from "./bundle.ts";
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
const VERSION = 8;

/** Pagefind's user interfaces and its worker, which the search page does not use. */
const UNUSED = /^pagefind-(?:.+-ui|ui|highlight|worker)\./;

/** Lists the parts of a bundle. */
const ENTRY = "pagefind-entry.json";

/** The program of a bundle, and what tells which words are in which part of its index. */
const PART = /^(?:wasm\.[^/]+\.pagefind|[^/]+\.pf_meta)$/;

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
  const listings = new Map<string, Pick<RankFile, "perPage"> & { readonly ranks: Ranks }>();
  const index = async ([code, pages]: Listings): Promise<void> => {
    signal?.throwIfAborted();
    const bundle = join(target, code);
    const { documents, perPage } = documentsOf(outDir, pages);
    const digest = digestOf(documents);
    const ranks = new Map(documents.map((document) => [urlOf(document), document.ranks]));
    listings.set(code, { perPage, ranks });
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
    const site = join(unfinished, "documents", code);
    const output = join(unfinished, "bundles", code);
    for (const folder of [site, output]) makeFolder(folder);
    for (const document of documents) {
      const path = join(site, urlOf(document));
      onDisk("write", path, () => writeFileSync(path, document.html, "latin1"));
    }
    const { tag: language } = languageOf(code);
    await makeBundle({ site, language, output, signal, program: options.program });
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
  const tokens = new Map<string, readonly string[]>();
  const parts: Record<string, readonly string[]> = {};
  for (const [code] of languages) {
    const own = readBundle(join(target, code), join(stateDir, "search-words", code), keys[code]);
    const listing = listings.get(code);
    if (own === null || listing === undefined) continue;
    tokens.set(code, own.tokens);
    parts[code] = [...listed(join(target, code)).keys()].filter((name) => PART.test(name));
    const files = rankFiles(listing.perPage, own.urls, listing.ranks);
    report.changed += replaceFiles(folders, `${SEARCH_FOLDER}/${code}/${RANKS_FOLDER}`, files);
  }
  const lists = `${SEARCH_FOLDER}/${LISTS_FOLDER}`;
  report.changed += replaceFiles(folders, lists, makeLists(names, tokens, parts));
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

/** Ranks of the quotes of each document, by its address in the index. */
type Ranks = ReadonlyMap<string, readonly number[]>;

const urlOf = ({ from }: SearchDocument): string => `/${from}.html`;

function digestOf(documents: readonly SearchDocument[]): string {
  const digest = createHash("sha256").update(`${VERSION} ${pagefindVersion()}`);
  for (const { from, html } of documents) digest.update(`\n${from}\n`).update(html, "latin1");
  return digest.digest("hex");
}

/** @param urls addresses of the documents of an index, by their ids */
function rankFiles(perPage: number, urls: ReadonlyMap<string, string>, ranks: Ranks) {
  const files = new Map<string, Record<string, readonly number[]>>();
  for (const [id, url] of urls) {
    getOrCompute(files, rankFileOf(id), (): Record<string, readonly number[]> => ({}))[id] =
      ranks.get(url) ?? [];
  }
  return new Map(
    Array.from(files, ([name, own]) => {
      return [name, JSON.stringify({ perPage, ranks: own } satisfies RankFile)];
    }),
  );
}

/** Includes names and sizes of the files, so that a damaged bundle is made again. */
function keyOf(digest: string, bundle: string): string {
  const files = [...listed(bundle)].flatMap(([name, size]) =>
    name.startsWith(`${RANKS_FOLDER}/`) ? [] : `${name} ${size}`,
  );
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
  return (
    sum(changed) +
    removeBut(folders, to, (name) => wanted.has(name) || name.startsWith(`${RANKS_FOLDER}/`))
  );
}

/**
 * Replaces the files of a folder. The last one is written when all others exist: it may name them.
 *
 * @returns the number of files written or removed
 */
function replaceFiles(
  folders: Folders,
  folder: string,
  files: ReadonlyMap<string, string>,
): number {
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
