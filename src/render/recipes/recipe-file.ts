/**
 * The recipes between runs: a file of blocks beside the fragments that they name. The ledger says where each page's lies.
 *
 * It only grows, until more than half of it is of pages that have changed since: then the living are copied to a file of
 * another name, and the ledger takes up both at once.
 */
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RecipeBook, RecipePlace, RecipeRows } from "../ledger/recipe-rows.ts";
import { flushCache, HELD } from "../../sqlite/flush.ts";
import { BlockBuilder, readBlock, type Block } from "./block.ts";

/** What may be in the file beyond twice the living. */
const SLACK_BYTES = 4 * 2 ** 20;

/** Pages in a block that is copied: as many as in one of a large build. */
const BLOCK_PAGES = 256;

const ENDING = ".recipes.gz";

export function recipePath(stateDir: string, { name }: RecipeBook): string {
  return join(stateDir, "fragments", name);
}

export interface RecipeFileOptions {
  readonly stateDir: string;
  /** Digest of the bundle that the pages are of. */
  readonly bundle: string;
  /** Seed of the fragments' table. */
  readonly fragments: number;
  readonly slackBytes?: number;
}

export class RecipeFile {
  readonly #rows: RecipeRows;
  readonly #options: RecipeFileOptions;
  #book: RecipeBook;
  #end: number;

  constructor(rows: RecipeRows, options: RecipeFileOptions) {
    this.#rows = rows;
    this.#options = options;
    const { stateDir, bundle, fragments } = options;
    const known = rows.book;
    const length = known === null ? null : sizeOf(recipePath(stateDir, known));
    const fits = known?.fragments === fragments && known.name.startsWith(bundle);
    if (known === null || length === null || !fits || length < known.sure) {
      this.#book = { name: nextName(bundle, known), fragments, sure: 0 };
      rows.begin(this.#book.name, fragments);
      writeFileSync(this.#path, "");
    } else {
      this.#book = known;
      // What a killed run wrote: the fragments it names may be others by now.
      if (length > known.sure) {
        rows.forgetFrom(known.sure);
        truncateSync(this.#path, known.sure);
      }
    }
    this.#end = this.#book.sure;
    this.#removeOthers();
  }

  /** Keeps a block of recipes, and says where. The pages are to be recorded after. */
  append(block: Uint8Array): number {
    const at = this.#end;
    appendFileSync(this.#path, block, { flag: HELD ? "as" : "a" });
    this.#end += block.length;
    return at;
  }

  /** Makes what was kept in this run available to the next; the fragments are safe already. */
  save(): void {
    if (this.#end === this.#book.sure) return;
    flushCache(this.#path);
    this.#rows.believe(this.#end);
    const { slackBytes = SLACK_BYTES } = this.#options;
    if (this.#end > slackBytes && this.#end > 2 * this.#rows.liveBytes + slackBytes) this.#copy();
  }

  get #path(): string {
    return recipePath(this.#options.stateDir, this.#book);
  }

  /** Copies the living to a new file. A run that is killed meanwhile leaves the old one as it was. */
  #copy(): void {
    const from = openSync(this.#path, "r");
    const { bundle, fragments } = this.#options;
    const name = nextName(bundle, this.#book);
    const path = join(this.#options.stateDir, "fragments", name);
    writeFileSync(path, "");
    const moved: [string, RecipePlace][] = [];
    let end = 0;
    let batch: Omit<RecipePlace & { readonly path: string }, "block" | "share">[] = [];
    const builder = new BlockBuilder();
    const flush = (): void => {
      const block = builder.take();
      if (block === null) return;
      const share = Math.ceil(block.length / batch.length);
      for (const { path, ...recipe } of batch) moved.push([path, { ...recipe, block: end, share }]);
      appendFileSync(path, block, { flag: HELD ? "as" : "a" });
      end += block.length;
      batch = [];
    };
    let open: { readonly at: number; readonly block: Block | undefined } | undefined;
    for (const [path, , , checksum, at, place] of this.#rows.all()) {
      if (open?.at !== at) open = { at, block: readBlock(from, at) };
      const whole = open.block?.hand(place, builder) === true;
      const to = builder.endPage();
      if (whole && to !== null) batch.push({ path, place: to, checksum });
      if (builder.pages === BLOCK_PAGES) flush();
    }
    flush();
    closeSync(from);
    flushCache(path);
    this.#book = { name, fragments, sure: end };
    this.#end = end;
    this.#rows.move(this.#book, moved);
    this.#removeOthers();
  }

  #removeOthers(): void {
    const folder = join(this.#options.stateDir, "fragments");
    for (const name of readdirSync(folder)) {
      if (name.endsWith(ENDING) && name !== this.#book.name) rmSync(join(folder, name));
    }
  }
}

/** Another than the one in use. */
function nextName(bundle: string, before: RecipeBook | null): string {
  const number = Number(/\.(\d+)\./.exec(before?.name ?? "")?.[1] ?? 0);
  return `${bundle}.${number + 1}${ENDING}`;
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
