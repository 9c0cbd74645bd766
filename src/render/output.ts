/** The output folder: which files a build writes, which stale files it removes, and which files Astro writes itself. */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, utimesSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig } from "astro";
import { ConfigurationError } from "../contract/errors.ts";
import { REPORT_FILES } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { namedDigests } from "./page-policy.ts";
import { PageWriter } from "./page-writer.ts";
import type { NewRecord, WrittenFiles } from "./written-files.ts";

/** Folders that other stages write, and clear of stale files. */
const OF_OTHER_STAGES = /^(?:_cards|_pictures|pagefind)\//;

/** What to do where a file and a route of the project have one address: a route of the same name replaces the project's. */
function wayOut(source: string): string {
  const route = /(?:^|\/)src\/pages\/(.+\.[jt]s)$/.exec(source)?.[1];
  return route === undefined ? "" : `; remove it and write site/pages/${route} instead`;
}

export class Output {
  readonly #outDir: string;
  /** Astro's folder of style sheets, scripts and images: `_astro`. */
  readonly #assets: string;
  readonly #files: WrittenFiles;
  readonly #writer: PageWriter;
  /** The route or folder that each file comes from. */
  readonly #sources = new Map<string, string>();
  /** Files that Astro writes itself. */
  readonly #ofAstro = new Set<string>();
  /** Files that exist although this build writes none: their pages have no body. */
  readonly #leftOut: string[] = [];
  /** Public files and assets of an earlier build. No program can set `ctimeMs`, the time of the last write. */
  readonly #earlier = new Map<string, Stats & { digest: string }>();
  /** Of the pages that Astro rendered. */
  readonly #records: NewRecord[] = [];

  constructor(outDir: string, config: AstroConfig, files: WrittenFiles) {
    const { publicDir, build } = config;
    this.#outDir = outDir;
    this.#assets = build.assets;
    this.#files = files;
    this.#writer = new PageWriter(outDir, namedDigests(config));
    const publicFiles = filesIn(fileURLToPath(publicDir));
    for (const file of [...this.#assetFiles(), ...publicFiles]) {
      const path = join(outDir, file);
      const there = lstatSync(path, { throwIfNoEntry: false });
      if (there?.isFile() !== true) continue;
      this.#earlier.set(file, Object.assign(there, { digest: digestOf(readFileSync(path)) }));
    }
    for (const file of publicFiles) {
      this.claim(file, "public/");
      this.leaveToAstro(file);
    }
  }

  /** Notes the source of a file. @throws {ConfigurationError} when another source makes it, or a file named as its folder */
  claim(file: string, source: string): void {
    const refuse = (why: string): never => {
      throw new ConfigurationError(`Cannot render ${file} from ${source}: ${why}`);
    };
    if (OF_OTHER_STAGES.test(file) || REPORT_FILES.has(file)) refuse("the build makes it later");
    for (let path = file; path !== "."; path = dirname(path)) {
      const other = this.#sources.get(path);
      if (other !== undefined) refuse(`${other} makes the file ${path}, too${wayOut(source)}`);
    }
    this.#sources.set(file, source);
  }

  /** Notes that Astro writes a file itself. @throws {DiskError} when a folder above it is a link */
  leaveToAstro(file: string): void {
    this.#writer.folders.check(dirname(file));
    this.#ofAstro.add(file);
  }

  /** Notes that a page has no file: one of an earlier build is removed. */
  leaveOut(file: string): void {
    this.#sources.delete(file);
    if (existsSync(join(this.#outDir, file))) this.#leftOut.push(file);
  }

  /** Removes stale files, except assets: pages refer to these until they are rendered again. */
  removeStale(): void {
    this.#files.removeStale(this.#sources, undefined, (file) =>
      file.startsWith(`${this.#assets}/`),
    );
  }

  /** Writes a page that Astro rendered, if its bytes differ. */
  write(file: string, bytes: Uint8Array): void {
    const key = digestOf(bytes);
    const page = { file, key, mtime: this.#files.dateOf(file, key) };
    this.#records.push(this.#writer.write(page, [bytes]));
  }

  /**
   * Records the files that are not of bulk routes, and removes stale assets. A file with the same bytes as before gets its
   * date back.
   *
   * @returns number of files whose bytes changed
   */
  settle(): number {
    const assets = this.#assetFiles();
    for (const file of assets) {
      const { ctimeMs } = lstatSync(join(this.#outDir, file));
      const isStale = this.#earlier.get(file)?.ctimeMs === ctimeMs;
      if (isStale || this.#sources.has(file)) continue;
      this.claim(file, "Astro");
      this.#ofAstro.add(file);
    }
    // Named, since integrations may have written other files meanwhile.
    this.#files.removeStale(this.#sources, [...assets, ...this.#leftOut]);
    const ofAstro = Array.from(this.#ofAstro, (file) => this.#recordOf(file));
    const records = [...this.#records, ...ofAstro.flat()];
    this.#files.record(records);
    return records.filter(({ written }) => written).length;
  }

  /** The record of a file that Astro wrote; empty if it wrote none. */
  #recordOf(file: string): NewRecord[] {
    const path = join(this.#outDir, file);
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isFile() !== true) return [];
    const key = digestOf(readFileSync(path));
    const earlier = this.#earlier.get(file);
    const record = this.#files.records.get(file);
    // Whole seconds, which archives preserve.
    let seconds = this.#files.dateOf(file, key) ?? Math.floor(there.mtimeMs / 1_000);
    if (earlier?.digest === key) seconds = earlier.mtimeMs / 1_000;
    if (there.mtimeMs !== seconds * 1_000) utimesSync(path, seconds, seconds);
    const written = (earlier?.digest ?? record?.key) !== key;
    return [{ file, key, size: there.size, mtime: Math.floor(seconds), written }];
  }

  #assetFiles(): string[] {
    const folder = join(this.#outDir, this.#assets);
    return filesIn(folder).map((file) => `${this.#assets}/${file}`);
  }
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? [...filesBelow(folder, { links: "all" })] : [];
}

const digestOf = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
