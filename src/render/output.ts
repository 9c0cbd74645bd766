/** The output folder: which files a build makes, which of an earlier one go, and what Astro writes into it itself. */
import { hash } from "node:crypto";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import type { NewRecord, WrittenFiles } from "./written-files.ts";

/** Names of all files below a folder, from there, with slashes; none where there is no such folder. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(folder.replace(/[\\/]$/, "").length + 1),
      )
      .map((file) => file.split(sep).join("/"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Removes a file, and the folders above it that it leaves empty. One that is gone already is fine. */
export function removeFile(outDir: string, file: string): void {
  attempt(() => unlinkSync(join(outDir, file)));
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    if (!attempt(() => rmdirSync(join(outDir, folder)))) return;
  }
}

/** @returns false when it could not be done because of what is, or is not, there */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"].includes(code)) return false;
    throw error;
  }
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
  readonly #wanted = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  /** Files that Astro rendered and need not write. */
  readonly #held = new Set<string>();
  readonly #before = new Map<string, Asset>();

  constructor(options: OutputOptions) {
    this.#options = options;
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

  /** @throws when two sources make one file */
  claim(file: string, by: string): void {
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
    const known = records.size > 0 ? records.keys() : filesIn(outDir).filter(isPage);
    const gone = [...known].filter(
      (file) => !this.#wanted.has(file) && !file.startsWith(`${assets}/`),
    );
    for (const file of gone) removeFile(outDir, file);
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
    for (const file of stale) removeFile(outDir, file);
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

const isPage = (file: string): boolean => file.endsWith(".html");

const digestOf = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
