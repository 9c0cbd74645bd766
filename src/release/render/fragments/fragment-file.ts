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
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { SharedFragments } from "./fragments.ts";
import { FragmentTable } from "./table.ts";

/** Beyond twice what the first run made, most of the file is last month's news: it is made anew. */
const MOST_GROWTH = 2;
const SLACK_BYTES = 64 * 2 ** 20;

const DIGEST_BYTES = 32;

/** Node's permission model has no `fsync`; what is written through as it is written does without. */
const HELD = process.permission !== undefined;

/** Fragments kept in memory: those of some 150,000 cards. Untouched memory costs nothing. */
const MEMORY_BYTES = 96 * 2 ** 20;

/** With fewer pages than this to render, reading the whole file costs more than it saves. */
const PAGES_WORTH_READING = 1_000;

export class FragmentFile {
  readonly #bytes: string;
  readonly #index: string;
  readonly #table: FragmentTable;
  readonly #sizeBefore: number;
  readonly #endBefore: number;
  readonly #memory = new SharedArrayBuffer(MEMORY_BYTES);
  readonly #memoryStart: number;

  /**
   * @param expected fragments that the site may have, at a guess
   * @param pages that are to be rendered
   */
  constructor(stateDir: string, bundle: string, expected: number, pages: number) {
    const folder = join(stateDir, "fragments");
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder)) if (!old.startsWith(bundle)) rmSync(join(folder, old));
    this.#bytes = join(folder, `${bundle}.bytes`);
    this.#index = join(folder, `${bundle}.index`);
    const kept = readTable(this.#index, this.#bytes);
    if (kept === null) writeFileSync(this.#bytes, "");
    const table = kept ?? FragmentTable.create(expected, randomInt(2 ** 31));
    this.#table = table.size > table.capacity / 2 ? table.grown(table.size * 2) : table;
    this.#sizeBefore = this.#table.size;
    this.#endBefore = this.#table.end;
    const whole = pages >= PAGES_WORTH_READING;
    this.#memoryStart = whole ? 0 : this.#endBefore;
    if (whole) this.#readBytes();
  }

  get shared(): SharedFragments {
    return {
      file: this.#bytes,
      table: this.#table.buffer,
      memory: this.#memory,
      memoryStart: this.#memoryStart,
    };
  }

  /** Makes what was kept in this run available to the next. */
  save(): void {
    if (this.#table.size === this.#sizeBefore) return;
    // What other threads wrote at once is not safe on disk then, and no table may say that it is.
    if (HELD && this.#table.end > this.#memoryStart + MEMORY_BYTES) return;
    this.#writeBytes();
    if (this.#table.firstEnd === 0) this.#table.firstEnd = this.#table.end;
    const table = new Uint8Array(this.#table.buffer);
    const unfinished = `${this.#index}.unfinished`;
    writeFileSync(unfinished, digestOf(table), "hex");
    appendFileSync(unfinished, table);
    renameSync(unfinished, this.#index);
  }

  #readBytes(): void {
    const file = openSync(this.#bytes, "r");
    const end = Math.min(this.#endBefore, MEMORY_BYTES);
    const memory = new Uint8Array(this.#memory);
    for (let at = 0, got = 1; at < end && got > 0; at += got) {
      got = readSync(file, memory, at, end - at, at);
    }
    closeSync(file);
  }

  /** What this run kept in memory goes to its place in the file; what did not fit there was written at once. */
  #writeBytes(): void {
    const file = openSync(this.#bytes, HELD ? "rs+" : "r+");
    const end = Math.min(this.#table.end, this.#memoryStart + MEMORY_BYTES);
    const memory = new Uint8Array(this.#memory);
    for (let at = this.#endBefore; at < end;) {
      at += writeSync(file, memory, at - this.#memoryStart, end - at, at);
    }
    if (!HELD) fsyncSync(file);
    closeSync(file);
  }
}

/** Null when there is no table to trust. */
function readTable(index: string, bytes: string): FragmentTable | null {
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
