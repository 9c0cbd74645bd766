/** Folders below the output folder, each made once. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

export class Folders {
  readonly #outDir: string;
  readonly #made = new Set<string>();

  constructor(outDir: string) {
    this.#outDir = outDir;
  }

  /** Another thread may make the same one meanwhile. */
  make(folder: string): void {
    if (this.#made.has(folder)) return;
    const parent = dirname(folder);
    if (parent !== folder && folder.length > this.#outDir.length) this.make(parent);
    try {
      mkdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") mkdirSync(folder, { recursive: true });
      else if (code !== "EEXIST") throw error;
    }
    this.#made.add(folder);
  }
}
