/**
 * The collection of the embedded service: what its answers are read from, and the one way to change it.
 *
 * Tests and tools may change it from within the process, at any moment: a walk over the socket sees the change at once.
 */
import { fraction, hash32 } from "./hash.ts";
import type { Database, Value } from "../sqlite/database.ts";
import {
  codePoints,
  foldName,
  fromRow,
  QUOTE_COLUMNS,
  tagSlug,
  type HeldQuote,
  type QuoteRow,
} from "./quote.ts";
import { index, openDatabase } from "./schema.ts";
import { isPlainWalk, selectFiltered, type QuoteFilter } from "./select.ts";

/** One vote that was counted, in the order of counting. */
export interface Vote {
  readonly pk: number;
  readonly step: 1 | -1;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A part of a list, and whether something follows it. */
export interface Part<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

export interface TagRow {
  readonly name: string;
  readonly slug: string;
}

export class Store {
  readonly #database: Database;
  readonly #now: () => number;
  /** Every pk in order, of the collection, a language, or the curated of either; until a quote comes or goes. */
  readonly #walks = new Map<string, Float64Array>();

  /**
   * @param path a file that is kept, or `:memory:`
   * @param now the clock: milliseconds since the epoch
   */
  constructor(path: string, now: () => number = Date.now) {
    this.#database = openDatabase(path);
    this.#now = now;
    if (this.count > 0) index(this.#database);
  }

  /** Quotes that can be shown. */
  get count(): number {
    return this.#database.get<{ n: number }>("SELECT count(*) AS n FROM quotes")?.n ?? 0;
  }

  page(filter: QuoteFilter, offset: number, limit: number): Part<QuoteRow> {
    if (isPlainWalk(filter)) return this.#walk(filter, offset, limit);
    // One row more than the page shows whether there is another page; nothing is counted.
    const { sql, values } = selectFiltered(filter, offset, limit + 1);
    const rows = this.#database.all<QuoteRow>(sql, ...values);
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }

  /**
   * The quote of the day (UTC) among those of a language, or of any where it is empty; undefined when there is none.
   *
   * It is chosen at the day's first request and kept in `days`; one that was reported or removed since is replaced.
   */
  ofDay(curated: boolean, language: string): QuoteRow | undefined {
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    const key: Value[] = [day, Number(curated), language];
    const chosen = this.#database.get<QuoteRow>(
      `SELECT ${QUOTE_COLUMNS} FROM days d CROSS JOIN quotes q ON q.pk = d.pk
       WHERE d.day = ? AND d.curated = ? AND d.language = ?`,
      ...key,
    );
    if (chosen !== undefined) return chosen;
    const pks = this.#pks({ curated, language: language === "" ? null : language });
    const pk = pks[Math.floor(fraction(`${day} ${curated} ${language}`) * pks.length)];
    if (pk === undefined) return undefined;
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM days WHERE day <> ?", day);
      const sql = "INSERT OR REPLACE INTO days(day, curated, language, pk) VALUES (?, ?, ?, ?)";
      this.#database.run(sql, ...key, pk);
    });
    return this.#row(pk);
  }

  /** The tag list by name, and how long it is. */
  tags(offset: number, limit: number): Part<TagRow> & { readonly count: number } {
    const count = this.#database.get<{ n: number }>("SELECT count(*) AS n FROM tags")?.n ?? 0;
    const sql = "SELECT name, slug FROM tags ORDER BY name LIMIT ? OFFSET ?";
    const rows = this.#database.all<TagRow>(sql, limit, offset);
    return { rows, more: offset + rows.length < count, count };
  }

  quote(pk: number): HeldQuote | undefined {
    const row = this.#row(pk);
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

  /** Counts a vote. Returns the likes after it, on disk; null when there is no such quote. */
  vote(pk: number, step: 1 | -1): number | null {
    return this.#database.transaction(() => {
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

  /** Takes a quote out of every later answer, for good and on disk; false when there is no such quote. */
  report(pk: number): boolean {
    return this.#change(() => {
      const held = this.quote(pk);
      if (held === undefined) return false;
      this.#remove(held);
      const sql = "INSERT INTO reported(pk, record, at) VALUES (?, ?, ?)";
      this.#database.run(sql, pk, JSON.stringify(held), this.#now());
      return true;
    });
  }

  /** Adds quotes, in one transaction. A pk that is taken or was reported is left alone. Returns how many were added. */
  insert(quotes: readonly HeldQuote[]): number {
    return this.#change(() => quotes.filter((held) => this.#insert(held)).length);
  }

  /** Removes a quote without a trace; false when there is none. */
  delete(pk: number): boolean {
    return this.#change(() => {
      const held = this.quote(pk);
      if (held !== undefined) this.#remove(held);
      return held !== undefined;
    });
  }

  /** Changes a quote in place, its pk excepted; false when there is none. */
  edit(pk: number, changes: Partial<Omit<HeldQuote, "pk">>): boolean {
    return this.#change(() => {
      const held = this.quote(pk);
      if (held === undefined) return false;
      this.#remove(held);
      return this.#insert({ ...held, ...changes });
    });
  }

  /** Makes the indexes. Call it once after a large load: until then they are kept up row by row, or absent. */
  index(): void {
    index(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  #row(pk: number): QuoteRow | undefined {
    const sql = `SELECT ${QUOTE_COLUMNS} FROM quotes q WHERE q.pk = ?`;
    return this.#database.get<QuoteRow>(sql, pk);
  }

  /**
   * A block of a whole list by pk. SQLite reaches an offset by stepping over every row before it, which makes a walk of
   * the collection quadratic; its pks in memory, eight bytes each, turn an offset into a pk at once.
   */
  #walk(list: Pick<QuoteFilter, "language" | "curated">, offset: number, limit: number) {
    const pks = this.#pks(list);
    const rows = this.#database.all<QuoteRow>(
      `SELECT ${QUOTE_COLUMNS} FROM json_each(?) a CROSS JOIN quotes q ON q.pk = a.value`,
      JSON.stringify([...pks.subarray(offset, offset + limit)]),
    );
    return { rows, more: offset + limit < pks.length };
  }

  #pks({ language, curated }: Pick<QuoteFilter, "language" | "curated">): Float64Array {
    const name = JSON.stringify([language, curated]);
    let pks = this.#walks.get(name);
    if (pks === undefined) {
      const sql = `SELECT pk FROM quotes WHERE curated >= ?1 AND (?2 IS NULL OR language = ?2) ORDER BY pk`;
      const rows = this.#database.tuples<[number]>(sql, Number(curated), language);
      pks = Float64Array.from(rows, ([pk]) => pk);
      // Any text can be asked for as a language.
      if (pks.length > 0) this.#walks.set(name, pks);
    }
    return pks;
  }

  #change<T>(work: () => T): T {
    this.#walks.clear();
    return this.#database.transaction(work);
  }

  /** False, and nothing done, when the pk is taken or was reported. */
  #insert(held: HeldQuote): boolean {
    const added = this.#database.run(
      `INSERT INTO quotes(pk, quote, author, likes, tags, image, language, curated, length)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
       WHERE NOT EXISTS (SELECT 1 FROM reported WHERE pk = ?1) ON CONFLICT(pk) DO NOTHING`,
      held.pk,
      held.quote,
      held.author,
      held.likes,
      JSON.stringify(held.tags),
      held.image,
      held.language,
      Number(held.curated),
      codePoints(held.quote),
    );
    if (added === 0) return false;
    for (const tag of new Set(held.tags)) {
      this.#database.run("INSERT INTO quote_tags(tag, pk) VALUES (?, ?)", tag, held.pk);
      this.#database.run(
        `INSERT INTO tags(name, slug) SELECT ?1, iif(EXISTS (SELECT 1 FROM tags WHERE slug = ?2), ?3, ?2)
         WHERE true ON CONFLICT DO NOTHING`,
        tag,
        tagSlug(tag),
        `${tagSlug(tag)}_${hash32(tag).toString(36)}`,
      );
    }
    if (held.author !== null) {
      const sql = "INSERT INTO authors(name, folded) VALUES (?, ?) ON CONFLICT DO NOTHING";
      this.#database.run(sql, held.author, foldName(held.author));
    }
    return true;
  }

  #remove(held: HeldQuote): void {
    this.#database.run("DELETE FROM quotes WHERE pk = ?", held.pk);
    this.#database.run(
      "DELETE FROM quote_tags WHERE pk = ? AND tag IN (SELECT value FROM json_each(?))",
      held.pk,
      JSON.stringify(held.tags),
    );
  }
}
