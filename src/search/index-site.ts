/**
 * Makes the search index of a finished site: Pagefind reads the listings of each language into a bundle of its own,
 * `dist/pagefind/<code>/`.
 *
 * A language whose listings hold the cards of the last run is not indexed again, and a file that came out the same is not
 * touched.
 */
import { createHash, hash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { eachOf } from "../contract/work.ts";
import { languageOf } from "../contract/languages.ts";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { listed, moveInto } from "./move.ts";
import { makeBundle, pagefindVersion } from "./pagefind.ts";

export interface SearchOptions {
  readonly outDir: string;
  readonly stateDir: string;
  /** Ids of the quotes that a person chose; null where that is unknown. */
  readonly curated: Iterable<number> | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

export interface SearchReport {
  readonly languages: number;
  /** Listing pages that the index holds. */
  readonly pages: number;
  /** Languages that Pagefind had to read. */
  readonly indexed: number;
  readonly files: number;
  readonly bytes: number;
  /** Files that differ from the last run's, or are gone. */
  readonly changed: number;
}

/** Folder of `dist`, and the name that pages import it by. */
const SEARCH_FOLDER = "pagefind";

/** Ids of the curated quotes, as JSON, which the page loads when a reader asks for these only. */
const CURATED_FILE = "curated.json";

/** Pagefind uses one core for most of its work, and up to 1.4 GB for 120,000 quotes of one language. */
const MOST_PROCESSES = 2;

/** Raise it when the same listings give another index. */
const VERSION = 5;

/** Language code → digest of its listings and of its bundle. */
type Keys = Readonly<Record<string, string>>;

/**
 * @throws {DiskError} when the index cannot be written
 * @throws the reason of `signal`
 */
export async function indexSite(options: SearchOptions): Promise<SearchReport> {
  const { outDir, stateDir, signal, onProgress } = options;
  const folders = new Folders(outDir);
  const target = join(outDir, SEARCH_FOLDER);
  const keyFile = join(stateDir, "search.key");
  const unfinished = join(stateDir, "search.unfinished");
  makeFolder(stateDir);
  rmSync(unfinished, { recursive: true, force: true });
  const keys: Record<string, string> = { ...readKeys(keyFile) };
  const report = { languages: 0, pages: 0, indexed: 0, changed: 0 };
  const languages = languagesOf(outDir);
  const index = async ({ code, pages }: Listings): Promise<void> => {
    signal?.throwIfAborted();
    const bundle = join(target, code);
    const digest = digestOf(outDir, pages);
    report.languages++;
    report.pages += pages.length;
    if (keys[code] === keyOf(digest, bundle)) return;
    onProgress?.(`${pages.length} pages of ${code}`);
    // Until it is whole, nothing may be claimed of this bundle.
    keys[code] = "";
    writeKeys(keyFile, keys);
    const output = join(unfinished, code);
    makeFolder(output);
    await makeBundle({
      site: outDir,
      glob: `language/${code}/**/index.html`,
      language: languageOf(code).tag,
      output,
      signal,
    });
    removeUnused(output);
    report.changed += moveInto(output, folders, `${SEARCH_FOLDER}/${code}`);
    report.indexed++;
    keys[code] = keyOf(digest, bundle);
  };
  try {
    await eachOf(languages, Math.min(availableParallelism(), MOST_PROCESSES), index);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  const codes = languages.map(({ code }) => code);
  report.changed += removeOthers(folders, new Set([...codes, CURATED_FILE]));
  report.changed += writeCurated(folders, options.curated);
  writeKeys(keyFile, Object.fromEntries(codes.map((code) => [code, keys[code] ?? ""])));
  const sizes = [...listed(target).values()];
  return { ...report, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Pagefind adds the program for languages without a stemmer to every bundle. */
function removeUnused(folder: string): void {
  const programs = globSync("wasm.*.pagefind", { cwd: folder });
  if (programs.length > 1) rmSync(join(folder, "wasm.unknown.pagefind"));
}

interface Listings {
  readonly code: string;
  /** Below the site, in order. */
  readonly pages: readonly string[];
}

/** The largest language first: it takes longer than all others together, and must not be the last to begin. */
function languagesOf(outDir: string): Listings[] {
  const folder = join(outDir, "language");
  const files = existsSync(folder) ? [...filesBelow(folder)] : [];
  const pages = files.filter((file) => file.endsWith("/index.html")).sort();
  return [...Map.groupBy(pages, (page) => page.slice(0, page.indexOf("/")))]
    .filter(([code, all]) => all.includes(`${code}/index.html`))
    .map(([code, all]) => ({ code, pages: all.map((page) => `language/${page}`) }))
    .sort((a, b) => b.pages.length - a.pages.length || (a.code < b.code ? -1 : 1));
}

/** Of the cards of the listings: what else a page shows may change every day. */
function digestOf(outDir: string, pages: readonly string[]): string {
  const digest = createHash("sha256").update(`${VERSION} ${pagefindVersion()}`);
  for (const page of pages) {
    const html = readFileSync(join(outDir, page));
    const start = Math.max(0, html.indexOf("data-pagefind-body"));
    const end = html.lastIndexOf("</article>");
    digest.update(`\n${page}\n`).update(html.subarray(start, end < start ? html.length : end));
  }
  return digest.digest("hex");
}

/** Names and sizes are in the key, so that a bundle that was deleted or cut is made again. */
function keyOf(digest: string, bundle: string): string {
  const files = [...listed(bundle)].map(([name, size]) => `${name} ${size}`);
  return `${digest} ${hash("sha256", files.join("\n"))}`;
}

function readKeys(file: string): Keys {
  if (!existsSync(file)) return {};
  // A file that was cut claims nothing: every language is indexed again.
  return (parseJson(readFileSync(file, "utf8")) ?? {}) as Keys;
}

function writeKeys(file: string, keys: Keys): void {
  atomicWrite(file, JSON.stringify(keys, null, 2));
}

/** @param kept entries of the search folder. @returns how many files were removed */
function removeOthers(folders: Folders, kept: ReadonlySet<string>): number {
  const others = [...listed(join(folders.root, SEARCH_FOLDER)).keys()].filter(
    (name) => !kept.has(name.split("/")[0] ?? ""),
  );
  return others.filter((name) => folders.removeFile(`${SEARCH_FOLDER}/${name}`)).length;
}

/** @returns how many files were written or removed */
function writeCurated(folders: Folders, curated: Iterable<number> | null): number {
  const file = `${SEARCH_FOLDER}/${CURATED_FILE}`;
  const path = join(folders.root, file);
  if (curated === null) return Number(folders.removeFile(file));
  const after = JSON.stringify([...curated]);
  if (existsSync(path) && readFileSync(path, "utf8") === after) return 0;
  folders.make(SEARCH_FOLDER);
  atomicWrite(path, after);
  return 1;
}
