/** The columns in the catalogue, for the next one: most of it will be the same. */
import { Digests } from "../digests.ts";
import type { Gathered, KindNames } from "./columns.ts";
import { bufferOf, linksOf, numbersOf } from "../read/rows.ts";
import { Names } from "./names.ts";
import type { Database } from "../../sqlite/database.ts";

/** What was gathered, and of how many rows. */
export interface Kept {
  readonly gathered: Gathered;
  /** Quotes of the snapshot, also those that the operator hides. */
  readonly rows: number;
}

/** Only the numbers: a million quotes' names are a hundredth of it. */
const COLUMNS = ["ids", "likes", "author", "language", "tagStart", "tags"] as const;
const NAMES = ["author", "language", "tag"] as const;

/** Keeps the columns; they hold no more than was gathered. */
export function keepGathered(db: Database, { gathered, rows }: Kept): void {
  const keep = (name: string, value: ArrayBufferView): void => {
    const { buffer, byteOffset, byteLength } = value;
    const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
    db.run("INSERT INTO gathered VALUES (?, ?)", name, bytes);
  };
  for (const name of COLUMNS) keep(name, gathered[name]);
  keep("words", gathered.words.range(0, gathered.quotes));
  for (const kind of NAMES) {
    keep(`${kind} names`, Buffer.from(JSON.stringify(gathered.names[kind].list)));
  }
  keep("rows", Float64Array.of(rows));
}

/** What the catalogue before kept. */
export function readGathered(db: Database): Kept {
  const read = (name: string): Uint8Array<ArrayBuffer> => {
    const row = db.tuple<readonly [Uint8Array<ArrayBuffer>]>(
      "SELECT value FROM gathered WHERE name = ?",
      name,
    );
    if (row === undefined) throw new RangeError(`Cannot read ${name}: not in ${db.path}`);
    return row[0];
  };
  const wide = (name: string): Float64Array => numbersOf(read(name));
  const narrow = (name: string): Uint32Array => linksOf(read(name));
  const namesOf = (kind: keyof KindNames): Names =>
    new Names(JSON.parse(bufferOf(read(`${kind} names`)).toString()) as (string | null)[]);
  const ids = wide("ids");
  return {
    gathered: {
      quotes: ids.length,
      ids,
      likes: wide("likes"),
      words: new Digests(read("words")),
      author: narrow("author"),
      language: narrow("language"),
      tagStart: narrow("tagStart"),
      tags: narrow("tags"),
      names: { author: namesOf("author"), language: namesOf("language"), tag: namesOf("tag") },
    },
    rows: wide("rows")[0] ?? 0,
  };
}
