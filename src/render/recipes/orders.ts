/** What is to be put together, as the threads that do it share it: no thread copies the list, and each takes the next block. */
import type { SharedBytes } from "../fragments/bytes.ts";
import type { Failure } from "../work/failure.ts";
import type { RecipeRow } from "../ledger/recipe-rows.ts";

export interface Orders {
  readonly outDir: string;
  /** File of recipes. */
  readonly recipes: string;
  readonly fragments: SharedBytes;
  /** Nothing was found in the folder: no need to look before each page. */
  readonly blind: boolean;
  /** From the output folder, one a line. */
  readonly paths: string;
  /** `FIELDS` numbers for each page. */
  readonly numbers: Float64Array<SharedArrayBuffer>;
  /** Where the pages of each block begin, and at last their number. */
  readonly starts: Int32Array<SharedArrayBuffer>;
  /** The block that is next, as a place in `starts`. */
  readonly next: Int32Array<SharedArrayBuffer>;
  /** 1 for each page that is there now. */
  readonly done: Uint8Array<SharedArrayBuffer>;
}

export const FIELDS = { size: 0, mtime: 1, checksum: 2, block: 3, place: 4 } as const;
export const FIELD_COUNT = 5;

/** How a thread ended: null when it did all it could. */
export type Ended = Failure | null;

export function ordersOf(
  rows: Iterable<RecipeRow>,
): Pick<Orders, "paths" | "numbers" | "starts" | "next" | "done"> {
  const paths: string[] = [];
  const numbers: number[] = [];
  const starts: number[] = [];
  let last = -1;
  for (const [path, size, mtime, checksum, block, place] of rows) {
    if (block !== last) starts.push(paths.length);
    last = block;
    paths.push(path);
    numbers.push(size, mtime, checksum, block, place);
  }
  starts.push(paths.length);
  const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
  const ordered = {
    paths: paths.join("\n"),
    numbers: new Float64Array(shared(numbers.length * Float64Array.BYTES_PER_ELEMENT)),
    starts: new Int32Array(shared(starts.length * Int32Array.BYTES_PER_ELEMENT)),
    next: new Int32Array(shared(Int32Array.BYTES_PER_ELEMENT)),
    done: new Uint8Array(shared(paths.length)),
  };
  ordered.numbers.set(numbers);
  ordered.starts.set(starts);
  return ordered;
}
