/** The output folder: which files a build makes, which of an earlier one go, and what Astro writes into it itself. */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import type { NewRecord, WrittenFiles } from "./written-files.ts";

/**
 * Pages and assets in a folder of which nothing is recorded: what an earlier build may have left. Other files, and what is
 * in hidden folders, belong to other programs.
 */
export function leftovers(outDir: string): string[] {
  if (!existsSync(outDir)) return [];
  const enter = (folder: string): boolean => !/(?:^|\/)(?:\.[^/]*|node_modules)$/.test(folder);
  return [...filesBelow(outDir, { links: "all", enter })].filter(
    (file) => file.endsWith(".html") || file.startsWith("_astro/"),
  );
}

/** All files below a folder; none where there is no such folder. */
function filesIn(folder: string): string[] {
  return existsSync(folder) ? [...filesBelow(folder, { links: "all" })] : [];
}

export interface OutputOptions {
  readonly outDir: string;
  readonly publicDir: string;
  /** Name of Astro's folder of style sheets, scripts and images: `_astro`. */
  readonly assets: string;
  readonly files: WrittenFiles;
}

/** An asset as an earlier build left it. */
interface Asset {
  readonly digest: string;
  readonly mtimeMs: number;
  /** When the file was written last: unlike its date, no program can set it. */
  readonly ctimeMs: number;
}

export class Output {
  readonly #options: OutputOptions;
  readonly #folders: Folders;
  readonly #wanted = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  /** Files that Astro rendered and need not write. */
  readonly #held = new Set<string>();
  readonly #before = new Map<string, Asset>();

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#folders = new Folders(options.outDir);
    const publicFiles = filesIn(options.publicDir);
    for (const file of [...this.#assets(), ...publicFiles]) {
      const path = join(options.outDir, file);
      const there = lstatSync(path, { throwIfNoEntry: false });
      if (there?.isFile() !== true) continue;
      const { mtimeMs, ctimeMs } = there;
      this.#before.set(file, { mtimeMs, ctimeMs, digest: digestOf(readFileSync(path)) });
    }
    for (const file of publicFiles) this.claim(file, "public/");
  }

  /**
   * Notes that this build makes a file.
   *
   * @throws {DiskError} when a folder above it is a link
   * @throws when two sources make one file
   */
  claim(file: string, by: string): void {
    this.#folders.check(dirname(file));
    const other = this.#wanted.get(file);
    if (other !== undefined) {
      throw new Error(`Cannot render ${file} from ${by}: ${other} makes it, too`);
    }
    this.#wanted.set(file, by);
  }

  /** Removes what an earlier build made and this one does not; assets stay until the pages name the new ones. */
  removeGone(): string[] {
    const { outDir, files, assets } = this.#options;
    const { records } = files;
    const known = records.size > 0 ? records.keys() : leftovers(outDir);
    const gone = [...known].filter(
      (file) => !this.#wanted.has(file) && !file.startsWith(`${assets}/`),
    );
    for (const file of gone) this.#folders.removeFile(file);
    files.remove(gone);
    return gone;
  }

  /**
   * Notes a file that Astro rendered.
   *
   * @returns whether it is in the folder already, and need not be written
   */
  hold(file: string, bytes: Uint8Array): boolean {
    const path = join(this.#options.outDir, file);
    this.#digests.set(file, digestOf(bytes));
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there === undefined) return false;
    if (there.isFile()) {
      const isThere = there.size === bytes.length && readFileSync(path).equals(bytes);
      if (isThere) this.#held.add(file);
      return isThere;
    }
    // What a link leads to is outside of the output folder.
    rmSync(path, { recursive: true });
    return false;
  }

  /**
   * Records the files that Astro wrote, and removes the assets of earlier builds that it did not write again. A file that
   * holds the same as before gets its date back.
   *
   * @param isBulk whether a file was recorded by the threads
   * @returns how many files hold something else than before
   */
  settle(isBulk: (file: string) => boolean): number {
    const { outDir, files } = this.#options;
    const stale = this.#assets().filter((file) => {
      const { ctimeMs } = lstatSync(join(outDir, file));
      return this.#before.get(file)?.ctimeMs === ctimeMs && !this.#wanted.has(file);
    });
    for (const file of stale) this.#folders.removeFile(file);
    files.remove(stale);
    for (const file of this.#assets()) if (!this.#wanted.has(file)) this.claim(file, "Astro");
    const records = [...this.#wanted.keys()]
      .filter((file) => !isBulk(file))
      .flatMap((file) => this.#recordOf(file) ?? []);
    const gone = [...files.records.keys()].filter((file) => !this.#wanted.has(file));
    files.remove(gone);
    files.record(records);
    return records.filter(({ written }) => written).length;
  }

  #recordOf(file: string): NewRecord | undefined {
    const { outDir, files } = this.#options;
    const path = join(outDir, file);
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isFile() !== true) return undefined;
    const key = this.#digests.get(file) ?? digestOf(readFileSync(path));
    const before = this.#before.get(file);
    const record = files.records.get(file);
    // Whole seconds, which can be given back as they were.
    let seconds = Math.floor(there.mtimeMs / 1_000);
    if (before?.digest === key) seconds = before.mtimeMs / 1_000;
    else if (record?.key === key) seconds = record.mtime;
    if (there.mtimeMs !== seconds * 1_000) utimesSync(path, seconds, seconds);
    const written = !this.#held.has(file) && (before?.digest ?? record?.key) !== key;
    return { file, key, size: there.size, mtime: Math.floor(seconds), written };
  }

  #assets(): string[] {
    const { outDir, assets } = this.#options;
    return filesIn(join(outDir, assets)).map((file) => `${assets}/${file}`);
  }
}

const digestOf = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
