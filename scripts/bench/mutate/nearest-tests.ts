/** Chooses the tests that look at a module: those of its stage, and those that import it over the fewest modules. */
import { dirname, join } from "node:path";

/** Folders of `test` for stages that have no folder of that name. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  site: ["site-reader", "find"],
  sqlite: ["snapshot"],
  util: ["contract"],
  http: ["client"],
};

/** Whole sites, browsers and weeks of nights: too slow to run for each bug. */
const SLOW =
  /^test\/(?:e2e|nights|fork|site|workflows|canary|bench)\/|\/kill\.test\.ts$|^test\/find\/published/;

const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

export class NearestTests {
  readonly #tests: readonly string[];
  /** By module: the modules that import it. */
  readonly #importers = new Map<string, string[]>();

  constructor(files: readonly string[], read: (file: string) => string) {
    this.#tests = files.filter((file) => /^test\/.*\.test\.ts$/.test(file) && !SLOW.test(file));
    const modules = files.filter((file) => /^(?:src|test|scripts)\/.*\.[cm]?ts$/.test(file));
    for (const file of modules) {
      for (const [, path = ""] of read(file).matchAll(IMPORT)) {
        const to = join(dirname(file), path);
        this.#importers.set(to, [...(this.#importers.get(to) ?? []), file]);
      }
    }
  }

  /** At most so many tests, the nearest first. */
  of(module: string, most: number): string[] {
    const distance = this.#distancesTo(module);
    const stage = module.split("/")[1] ?? "";
    const folders = (FOLDERS[stage] ?? [stage]).map((folder) => `test/${folder}/`);
    const isOwn = (test: string): boolean => folders.some((folder) => test.startsWith(folder));
    const rank = (test: string): number => (distance.get(test) ?? 9) - (isOwn(test) ? 3 : 0);
    return this.#tests
      .filter((test) => distance.has(test) || isOwn(test))
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, most);
  }

  #distancesTo(module: string): Map<string, number> {
    const distance = new Map([[module, 0]]);
    // A map grows while it is walked, and its order is that of the distance.
    for (const [file, steps] of distance) {
      for (const importer of this.#importers.get(file) ?? []) {
        if (!distance.has(importer)) distance.set(importer, steps + 1);
      }
    }
    return distance;
  }
}
