/** The output folder: which files a build makes, which of an earlier one go, and what Astro writes into it itself. */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, utimesSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig } from "astro";
import { ConfigurationError } from "../contract/errors.ts";
import { REPORT_FILES } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { PageWriter } from "./page-writer.ts";
import type { NewRecord, WrittenFiles } from "./written-files.ts";

/** Folders that other stages fill, and clear of what they did not make. */
const OF_OTHER_STAGES = /^(?:_cards|_pictures|pagefind)\//;

export class Output {
  readonly #outDir: string;
  /** Name of Astro's folder of style sheets, scripts and images: `_astro`. */
  readonly #assets: string;
  readonly #files: WrittenFiles;
  readonly #writer: PageWriter;
  readonly #sources = new Map<string, string>();
  /** Files that Astro writes itself. */
  readonly #ofAstro = new Set<string>();
  /** Files that nothing makes after all. */
  readonly #leftOut: string[] = [];
  /** Those that an earlier build left; no program can set `ctimeMs`, the time of the last write. */
  readonly #earlier = new Map<string, Stats & { digest: string }>();
  /** Of the pages that Astro rendered. */
  readonly #records: NewRecord[] = [];

  constructor(outDir: string, { publicDir, build }: AstroConfig, files: WrittenFiles) {
    this.#outDir = outDir;
    this.#assets = build.assets;
    this.#files = files;
    this.#writer = new PageWriter(outDir);
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

  /** Notes that this build makes a file. @throws when something else makes it, or a file in the place of its folder */
  claim(file: string, source: string): void {
    const refuse = (why: string): never => {
      throw new ConfigurationError(`Cannot render ${file} from ${source}: ${why}`);
    };
    if (OF_OTHER_STAGES.test(file) || REPORT_FILES.has(file)) refuse("the build makes it later");
    for (let path = file; path !== "."; path = dirname(path)) {
      const other = this.#sources.get(path);
      if (other !== undefined) refuse(`${other} makes the file ${path}, too`);
    }
    this.#sources.set(file, source);
  }

  /** Notes that Astro writes a file itself. @throws {DiskError} when a folder above it is a link */
  leaveToAstro(file: string): void {
    this.#writer.folders.check(dirname(file));
    this.#ofAstro.add(file);
  }

  /** Notes that a file is not made after all: that of an earlier build goes. */
  leaveOut(file: string): void {
    this.#sources.delete(file);
    if (existsSync(join(this.#outDir, file))) this.#leftOut.push(file);
  }

  /** Removes what an earlier build made and this one does not; assets stay until the pages name the new ones. */
  removeStale(): void {
    this.#files.removeStale(this.#sources, undefined, (file) =>
      file.startsWith(`${this.#assets}/`),
    );
  }

  /** Writes a page that Astro rendered, if it differs. */
  write(file: string, bytes: Uint8Array): void {
    const key = digestOf(bytes);
    const page = { file, key, mtime: this.#files.dateOf(file, key) };
    this.#records.push(this.#writer.write(page, [bytes]));
  }

  /**
   * Records the files that are not of bulk routes, and removes the assets of earlier builds that Astro did not write
   * again. One that holds the same as before gets its date back.
   *
   * @returns how many files hold something else than before
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
    // Integrations may have written files of their own meanwhile.
    this.#files.removeStale(this.#sources, [...assets, ...this.#leftOut]);
    const ofAstro = Array.from(this.#ofAstro, (file) => this.#recordOf(file));
    const records = [...this.#records, ...ofAstro.flat()];
    this.#files.record(records);
    return records.filter(({ written }) => written).length;
  }

  /** What to record of a file that Astro wrote; nothing where it wrote none. */
  #recordOf(file: string): NewRecord[] {
    const path = join(this.#outDir, file);
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isFile() !== true) return [];
    const key = digestOf(readFileSync(path));
    const earlier = this.#earlier.get(file);
    const record = this.#files.records.get(file);
    // Whole seconds, which can be given back as they were.
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

/** All files below a folder; none where there is no such folder. */
function filesIn(folder: string): string[] {
  return existsSync(folder) ? [...filesBelow(folder, { links: "all" })] : [];
}

const digestOf = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
