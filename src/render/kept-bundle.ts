/**
 * Keeps the bundle of the pages for the next build, which uses it if no input changed (docs/astro.md).
 *
 * A kept bundle is everything that bundling wrote: modules of the pages, and assets of the site. Its folder is named after the
 * digest of its inputs. A bundle that is incomplete, damaged or read while another build removes it counts as none.
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
import { makeFolder, onDisk, UNFINISHED } from "../files/disk.ts";
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

  /** @returns null if there is none, or one of its modules changed */
  find(outDir: string): BundleRecord | null {
    try {
      const { record, files } = JSON.parse(readFileSync(join(this.#folder, RECORD), "utf8")) as {
        record: BundleRecord;
        files: string;
      };
      const isSame =
        (record.outDir ?? outDir) === outDir &&
        digestModules(record.modules) === record.inputs &&
        this.#digest() === files;
      return isSame ? record : null;
    } catch {
      return null;
    }
  }

  /**
   * Copies the bundle to where Astro would have written it.
   *
   * @param pages folder of the modules of the pages
   */
  restore(pages: string, outDir: string): void {
    const back = this.#names.map(([path, name]) => [name, path] as const);
    const [modules, assets] = [join(this.#folder, "pages"), join(this.#folder, "site")];
    copy([modules, filesBelow(modules)], pages, (bytes) => movable(bytes.toString(), back));
    copy([assets, filesBelow(assets)], outDir);
    // The bundles that were used last are kept.
    const now = new Date();
    utimesSync(join(this.#folder, RECORD), now, now);
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
      rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
      for (const old of newestFirst(parent).slice(MOST)) {
        rmSync(old, { recursive: true, force: true });
      }
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

/** Unfinished ones are last: a build that was killed left them. */
function newestFirst(parent: string): string[] {
  const usedMs = (folder: string): number =>
    statSync(join(folder, RECORD), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .sort((a, b) => usedMs(b) - usedMs(a));
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
