/**
 * The collection of the embedded service: what its answers are read from, and the one way to change it.
 *
 * Tests and tools may change it from within the process, at any moment: a walk over the socket sees the change at once.
 */
import type { Database } from "../../sqlite/database.ts";
import { chooseOfDay } from "../query/of-day.ts";
import { readQuotes, readTags, type Part } from "../query/read.ts";
import type { QuoteFilter } from "../query/select.ts";
import { GroupCommit } from "./group-commit.ts";
import { fromRow, QUOTE_COLUMNS, type HeldQuote, type QuoteRow } from "./held-quote.ts";
import { index, openDatabase } from "./schema.ts";
import { Writer } from "./writer.ts";

/** One vote that was counted, in the order of counting. */
export interface Vote {
  readonly pk: number;
  readonly step: 1 | -1;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class Store {
  readonly #database: Database;
  readonly #group = new GroupCommit((work) => this.#change(work));
  readonly #now: () => number;
  #writer: Writer;

  /**
   * @param path a file that is kept, or `:memory:`
   * @param now the clock: milliseconds since the epoch
   */
  constructor(path: string, now: () => number = Date.now) {
    this.#database = openDatabase(path);
    this.#writer = new Writer(this.#database);
    this.#now = now;
    if (this.count > 0) index(this.#database);
  }

  /** Quotes that can be shown. */
  get count(): number {
    return this.#writer.ranks.count;
  }

  page(filter: QuoteFilter, offset: number, limit: number): Part<QuoteRow> {
    return readQuotes(this.#database, this.#writer.ranks, filter, offset, limit);
  }

  /** The quote of the day (UTC) among those of a language, or of any where it is empty; undefined when there is none. */
  ofDay(curated: boolean, language: string): QuoteRow | undefined {
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    return this.#change(() => chooseOfDay(this.#database, day, curated, language));
  }

  tags(offset: number, limit: number): ReturnType<typeof readTags> {
    return readTags(this.#database, offset, limit);
  }

  quote(pk: number): HeldQuote | undefined {
    const sql = `SELECT ${QUOTE_COLUMNS} FROM quotes q WHERE q.pk = ?`;
    const row = this.#database.get<QuoteRow>(sql, pk);
    return row && fromRow(row);
  }

  /** Every quote, by pk. */
  *quotes(): Generator<HeldQuote, void, undefined> {
    const sql = `SELECT ${QUOTE_COLUMNS} FROM quotes q ORDER BY q.pk`;
    for (const row of this.#database.each<QuoteRow>(sql)) yield fromRow(row);
  }

  /** Every vote that was answered, oldest first. */
  votes(): Vote[] {
    return this.#database.all<Vote>("SELECT pk, step, at FROM votes ORDER BY id");
  }

  /** Counts a vote. Resolves with the likes after it, on disk; null when there is no such quote. */
  vote(pk: number, step: 1 | -1): Promise<number | null> {
    return this.#group.add(() => {
      const changed = this.#database.get<{ likes: number }>(
        "UPDATE quotes SET likes = likes + ? WHERE pk = ? RETURNING likes",
        step,
        pk,
      );
      if (changed === undefined) return null;
      const sql = "INSERT INTO votes(pk, step, at) VALUES (?, ?, ?)";
      this.#database.run(sql, pk, step, this.#now());
      return changed.likes;
    });
  }

  /** Takes a quote out of every later answer, for good. Resolves with false when there is no such quote. */
  report(pk: number): Promise<boolean> {
    return this.#group.add(() => {
      const held = this.quote(pk);
      if (held === undefined) return false;
      this.#writer.remove(held);
      const sql = "INSERT INTO reported(pk, record, at) VALUES (?, ?, ?)";
      this.#database.run(sql, pk, JSON.stringify(held), this.#now());
      return true;
    });
  }

  /** Adds quotes, in one transaction. A pk that is taken or was reported is left alone. Returns how many were added. */
  insert(quotes: readonly HeldQuote[]): number {
    return this.#change(() => quotes.filter((held) => this.#writer.insert(held)).length);
  }

  /** Removes a quote without a trace; false when there is none. */
  delete(pk: number): boolean {
    return this.#change(() => {
      const held = this.quote(pk);
      if (held !== undefined) this.#writer.remove(held);
      return held !== undefined;
    });
  }

  /** Changes a quote in place, its pk excepted; false when there is none. */
  edit(pk: number, changes: Partial<Omit<HeldQuote, "pk">>): boolean {
    return this.#change(() => {
      const held = this.quote(pk);
      if (held === undefined) return false;
      this.#writer.remove(held);
      return this.#writer.insert({ ...held, ...changes });
    });
  }

  /** Makes the indexes. Call it once after a large load: until then they are kept up row by row, or absent. */
  index(): void {
    index(this.#database);
  }

  /** Writes what waits and lets go of the file. */
  close(): void {
    this.#group.flush();
    this.#database.close();
  }

  #change<T>(work: () => T): T {
    try {
      return this.#database.transaction(work);
    } catch (error) {
      this.#writer = new Writer(this.#database);
      throw error;
    }
  }
}
