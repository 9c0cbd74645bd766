/**
 * The fragments between runs: a file of bytes and the table that says where they lie, made for one bundle.
 *
 * The table is written last, after the bytes are safe on disk. A run that was killed leaves bytes behind its end, and
 * the next run writes over them.
 */
import { hash, randomInt } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fillMemory, MEMORY_BYTES } from "./bytes.ts";
import type { SharedFragments } from "./fragments.ts";
import { FragmentTable } from "./table.ts";
import { HELD } from "../../sqlite/flush.ts";

/** Beyond twice what the first run made, most of the file is last month's news: it is made anew. */
const MOST_GROWTH = 2;
const SLACK_BYTES = 64 * 2 ** 20;

const DIGEST_BYTES = 32;

/** With fewer pages than this to render, reading the whole file costs more than it saves. */
const PAGES_WORTH_READING = 1_000;

/** Written while the threads render: each time they run on without this one for the time it takes. */
const WORTH_FLUSHING = 4 * 2 ** 20;

/** Where the fragments of a bundle lie. */
export function fragmentPaths(
  stateDir: string,
  bundle: string,
): { readonly bytes: string; readonly index: string } {
  const path = join(stateDir, "fragments", bundle);
  return { bytes: `${path}.bytes`, index: `${path}.index` };
}

/** The seed of the store as it lies there; null when there is none. */
export function readSeed(stateDir: string, bundle: string): number | null {
  return readTable(fragmentPaths(stateDir, bundle))?.seed ?? null;
}

export interface Expectations {
  /** Fragments that the site may have, at a guess. */
  readonly expected: number;
  /** Pages that are to be rendered. */
  readonly pages: number;
  /** Room for fragments in memory, in bytes. */
  readonly memoryBytes?: number | undefined;
}

export class FragmentFile {
  readonly #bytes: string;
  readonly #index: string;
  readonly #table: FragmentTable;
  readonly #sizeBefore: number;
  readonly #memory: SharedArrayBuffer;
  readonly #memoryStart: number;
  #writtenUntil: number;

  /**
   * @param bundle digest of the bundle that the fragments are of
   */
  constructor(
    stateDir: string,
    bundle: string,
    { expected, pages, memoryBytes = MEMORY_BYTES }: Expectations,
  ) {
    this.#memory = new SharedArrayBuffer(memoryBytes);
    const folder = join(stateDir, "fragments");
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder)) if (!old.startsWith(bundle)) rmSync(join(folder, old));
    ({ bytes: this.#bytes, index: this.#index } = fragmentPaths(stateDir, bundle));
    const kept = readTable({ index: this.#index, bytes: this.#bytes });
    if (kept === null) writeFileSync(this.#bytes, "");
    const table = kept ?? FragmentTable.create(expected, randomInt(2 ** 31));
    this.#table = table.size > table.capacity / 2 ? table.grown(table.size * 2) : table;
    this.#sizeBefore = this.#table.size;
    this.#writtenUntil = this.#table.end;
    const whole = pages >= PAGES_WORTH_READING;
    this.#memoryStart = whole ? 0 : this.#table.end;
    if (whole) fillMemory(this.#memory, this.#bytes, this.#table.end);
  }

  get shared(): SharedFragments {
    return {
      file: this.#bytes,
      table: this.#table.buffer,
      memory: this.#memory,
      memoryStart: this.#memoryStart,
    };
  }

  /** The same for as long as places in the file mean what they do: a store that begins anew has another. */
  get seed(): number {
    return this.#table.seed;
  }

  /** Whether nothing was kept before this run. */
  get isEmpty(): boolean {
    return this.#sizeBefore === 0;
  }

  /** Writes what the threads kept until now, while they go on: at the end little is left to wait for. */
  flush(): void {
    const { end, isBeingWritten } = this.#table;
    if (end - this.#writtenUntil >= WORTH_FLUSHING && !isBeingWritten) this.#writeUntil(end, false);
  }

  /**
   * Makes what was kept in this run available to the next.
   *
   * @returns false when it is not, and what was kept is forgotten
   */
  save(): boolean {
    if (this.#table.size === this.#sizeBefore) return true;
    // What other threads wrote at once is not safe on disk then, and no table may say that it is.
    if (HELD && this.#table.end > this.#memoryStart + this.#memory.byteLength) return false;
    this.#writeUntil(this.#table.end, !HELD);
    if (this.#table.firstEnd === 0) this.#table.firstEnd = this.#table.end;
    const table = new Uint8Array(this.#table.buffer);
    const unfinished = `${this.#index}.unfinished`;
    writeFileSync(unfinished, digestOf(table), "hex");
    appendFileSync(unfinished, table);
    renameSync(unfinished, this.#index);
    return true;
  }

  /** What this run kept in memory goes to its place in the file; what did not fit there was written at once. */
  #writeUntil(end: number, through: boolean): void {
    const file = openSync(this.#bytes, HELD ? "rs+" : "r+");
    const memory = new Uint8Array(this.#memory);
    const to = Math.min(end, this.#memoryStart + memory.length);
    for (let at = this.#writtenUntil; at < to;) {
      at += writeSync(file, memory, at - this.#memoryStart, to - at, at);
    }
    this.#writtenUntil = end;
    if (through) fsyncSync(file);
    closeSync(file);
  }
}

/** Null when there is no table to trust. */
function readTable({ index, bytes }: ReturnType<typeof fragmentPaths>): FragmentTable | null {
  let file;
  let length;
  try {
    file = readFileSync(index);
    length = statSync(bytes).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const content = file.subarray(DIGEST_BYTES);
  if (!FragmentTable.fits(content.length)) return null;
  if (digestOf(content) !== file.toString("hex", 0, DIGEST_BYTES)) return null;
  const shared = new SharedArrayBuffer(content.length);
  new Uint8Array(shared).set(content);
  const table = new FragmentTable(shared);
  const grown = table.end > MOST_GROWTH * table.firstEnd + SLACK_BYTES;
  return length < table.end || grown ? null : table;
}

function digestOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
