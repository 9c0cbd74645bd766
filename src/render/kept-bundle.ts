/**
 * Keeps the bundle of the pages for the next build, which uses it if no input changed (docs/astro.md).
 *
 * A kept bundle is everything that bundling wrote: modules of the pages, and assets of the site. Its folder is named after the
 * digest of its inputs. A bundle that is incomplete, damaged or read while another build removes it counts as none. Several
 * builds may share the folder at the same time.
 */
import { hash } from "node:crypto";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isStray, makeFolder, onDisk, UNFINISHED } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import { digestModules, movable } from "./bundle-inputs.ts";
import type { BundleState } from "./astro/index.ts";

/** What a build must know of a bundle besides its files. */
export interface BundleRecord {
  /** See `Bundle.digest()`. */
  readonly digest: string;
  readonly hasMiddleware: boolean;
  /** Of Astro's build. */
  readonly state: BundleState;
  /** Files of all modules, and a digest of them. */
  readonly modules: readonly string[];
  readonly inputs: string;
  /** Where its source maps lead from; null without source maps. */
  readonly outDir: string | null;
}

/** The last bundles of a site that is built with several settings in turn, such as in tests. */
const MOST = 8;
const RECORD = "bundle.json";
/** Codes of renaming to a folder that has files; the last is of Windows. */
const TAKEN = new Set(["ENOTEMPTY", "EEXIST", "EPERM"]);

export class KeptBundle {
  readonly #folder: string;
  readonly #names: readonly (readonly [string, string])[];

  /**
   * @param parent folder of all kept bundles
   * @param key digest of the inputs
   * @param names folders that the bundle names, and what stands for each in the kept files
   */
  constructor(parent: string, key: string, names: readonly (readonly [string, string])[]) {
    this.#folder = join(parent, key);
    this.#names = names;
  }

  /**
   * Copies the bundle to where Astro would have written it.
   *
   * @param pages folder of the modules of the pages
   * @returns null if there is none, or one of its modules changed
   */
  restore(pages: string, outDir: string): BundleRecord | null {
    try {
      const record = this.#find(outDir);
      if (record === null) return null;
      const back = this.#names.map(([path, name]) => [name, path] as const);
      const [modules, assets] = [join(this.#folder, "pages"), join(this.#folder, "site")];
      copy([modules, filesBelow(modules)], pages, (bytes) => movable(bytes.toString(), back));
      copy([assets, filesBelow(assets)], outDir);
      return record;
    } catch {
      return null;
    }
  }

  #find(outDir: string): BundleRecord | null {
    const path = join(this.#folder, RECORD);
    // The bundles that were used last are kept.
    const now = new Date();
    utimesSync(path, now, now);
    const { record, files } = JSON.parse(readFileSync(path, "utf8")) as {
      record: BundleRecord;
      files: string;
    };
    const isSame =
      (record.outDir ?? outDir) === outDir &&
      digestModules(record.modules) === record.inputs &&
      this.#digest() === files;
    return isSame ? record : null;
  }

  /**
   * @param pages folder of the modules of the pages, and their files
   * @param site the output folder, and the assets that bundling wrote there
   */
  save(
    record: BundleRecord,
    pages: readonly [folder: string, files: readonly string[]],
    site: readonly [folder: string, files: readonly string[]],
  ): void {
    const parent = dirname(this.#folder);
    const target = this.#folder;
    const unfinished = new KeptBundle(parent, `${process.pid}${UNFINISHED}`, this.#names);
    const folder = unfinished.#folder;
    onDisk("write", folder, () => {
      rmSync(folder, { recursive: true, force: true });
      copy(pages, join(folder, "pages"), (bytes) => movable(bytes.toString(), this.#names));
      copy(site, join(folder, "site"));
      const files = unfinished.#digest();
      writeFileSync(join(folder, RECORD), JSON.stringify({ record, files }));
      remove(target);
      try {
        renameSync(folder, target);
      } catch (error) {
        // Another build has just kept the same bundle.
        if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
        rmSync(folder, { recursive: true });
      }
      for (const old of outdated(parent)) remove(old);
    });
  }

  #digest(): string {
    const files = [...filesBelow(this.#folder)].filter((file) => file !== RECORD);
    return hash(
      "sha256",
      files
        .map((file) => `${file} ${hash("sha256", readFileSync(join(this.#folder, file)))}`)
        .join("\n"),
    );
  }
}

/** Bundles beyond those that were used last, and what killed builds left. */
function outdated(parent: string): string[] {
  const paths = readdirSync(parent).map((name) => join(parent, name));
  const isUnfinished = (path: string): boolean => path.endsWith(UNFINISHED);
  // Another build may remove one meanwhile.
  const usedMs = (path: string): number =>
    statSync(join(path, RECORD), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const strays = paths.filter((path) => isUnfinished(path) && isStray(path));
  const bundles = paths
    .filter((path) => !isUnfinished(path))
    .map((path) => [path, usedMs(path)] as const);
  const old = bundles.toSorted(([, a], [, b]) => b - a).slice(MOST);
  return [...strays, ...old.map(([path]) => path)];
}

/** Removes a bundle that another build may read or remove at the same time. */
function remove(bundle: string): void {
  const own = `${bundle}.${process.pid}${UNFINISHED}`;
  try {
    renameSync(bundle, own);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  rmSync(own, { recursive: true });
}

/** @param change applied to modules */
function copy(
  [from, files]: readonly [folder: string, files: Iterable<string>],
  to: string,
  change?: (bytes: Buffer) => string,
): void {
  makeFolder(to);
  const folders = new Folders(to);
  for (const file of files) {
    folders.make(dirname(file));
    const [source, target] = [join(from, file), join(to, file)];
    rmSync(target, { force: true });
    if (change !== undefined && /\.[cm]?js$/.test(file))
      writeFileSync(target, change(readFileSync(source)));
    else copyFileSync(source, target);
  }
}
