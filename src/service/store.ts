/**
 * The collection of the embedded service.
 *
 * Tests may change it at any moment; the next request sees the change.
 */
import type { Tag } from "../contract/quote.ts";
import type { Database, Value } from "../sqlite/database.ts";
import { type QuoteFilter, isPlainList, selectFiltered } from "./filter.ts";
import {
  countCodePoints,
  foldName,
  fraction,
  hash32,
  toStoredQuote,
  QUOTE_COLUMNS,
  makeTagSlug,
  type StoredQuote,
  type QuoteRow,
} from "./quote.ts";
import { createIndexes, openDatabase } from "./schema.ts";

export class Store {
  readonly #database: Database;
  readonly #now: () => number;
  /** Pks of plain lists (`isPlainList()`), in order, by a key of language and `curated`; cleared by every change. */
  readonly #pkLists = new Map<string, Float64Array>();

  /**
   * @param path path of the database, or `:memory:`
   * @param now clock, in milliseconds since the epoch
   */
  constructor(path: string, now: () => number = Date.now) {
    this.#database = openDatabase(path);
    this.#now = now;
    if (this.count > 0) createIndexes(this.#database);
  }

  /** Number of quotes, without reported ones. */
  get count(): number {
    return this.#database.number("SELECT count(*) AS n FROM quotes");
  }

  /** Reads a part of a list; `more` says whether rows follow. */
  page(filter: QuoteFilter, offset: number, limit: number) {
    if (isPlainList(filter)) return this.#pageByPk(filter, offset, limit);
    // One row more than the page has shows whether rows follow.
    const { sql, values } = selectFiltered(filter, offset, limit + 1);
    const rows = this.#database.all<QuoteRow>(sql, ...values);
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }

  /**
   * Returns the quote of the day (UTC); undefined when no quote matches.
   *
   * The first request of a day chooses it and stores it in `days`. A quote that was reported or deleted since is replaced.
   *
   * @param language empty for any
   */
  quoteOfDay(curated: boolean, language: string): QuoteRow | undefined {
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

  /** Reads a part of the tag list, ordered by name; `count` is the length of the whole list. */
  tags(offset: number, limit: number) {
    const count = this.#database.number("SELECT count(*) AS n FROM tags");
    const sql = "SELECT name, slug FROM tags ORDER BY name LIMIT ? OFFSET ?";
    const rows = this.#database.all<Tag>(sql, limit, offset);
    return { rows, more: offset + rows.length < count, count };
  }

  quote(pk: number): StoredQuote | undefined {
    const row = this.#row(pk);
    return row && toStoredQuote(row);
  }

  /** All quotes, by pk. */
  *quotes(): Generator<StoredQuote, void, undefined> {
    const sql = `SELECT ${QUOTE_COLUMNS} FROM quotes q ORDER BY q.pk`;
    for (const row of this.#database.each<QuoteRow>(sql)) yield toStoredQuote(row);
  }

  /** All votes, oldest first; their times are in milliseconds since the epoch. */
  votes() {
    const sql = "SELECT pk, step, at FROM votes ORDER BY id";
    return this.#database.all<{ pk: number; step: 1 | -1; at: number }>(sql);
  }

  /** Counts a vote, durably, and returns the likes after it; null when there is no such quote. */
  vote(pk: number, step: 1 | -1): number | null {
    return this.#database.transaction(() => {
      const update = "UPDATE quotes SET likes = likes + ? WHERE pk = ? RETURNING likes";
      const changed = this.#database.get<{ likes: number }>(update, step, pk);
      if (changed === undefined) return null;
      const sql = "INSERT INTO votes(pk, step, at) VALUES (?, ?, ?)";
      this.#database.run(sql, pk, step, this.#now());
      return changed.likes;
    });
  }

  /** Removes a quote, durably, and never loads its pk again; false when there is no such quote. */
  report(pk: number): boolean {
    return this.#change(() => {
      const quote = this.#take(pk);
      if (quote === undefined) return false;
      const sql = "INSERT INTO reported(pk, record, at) VALUES (?, ?, ?)";
      return this.#database.run(sql, pk, JSON.stringify(quote), this.#now()) > 0;
    });
  }

  /** Adds quotes in one transaction, except those whose pk exists or was reported; returns the number added. */
  insert(quotes: readonly StoredQuote[]): number {
    return this.#change(() => quotes.filter((quote) => this.#insert(quote)).length);
  }

  /** Deletes a quote; false when there is no such quote. */
  delete(pk: number): boolean {
    return this.#change(() => this.#take(pk) !== undefined);
  }

  /** Changes a quote; false when there is no such quote. */
  edit(pk: number, changes: Partial<Omit<StoredQuote, "pk">>): boolean {
    return this.#change(() => {
      const quote = this.#take(pk);
      return quote !== undefined && this.#insert({ ...quote, ...changes });
    });
  }

  /** Creates the indexes. Called once, after the first load. */
  index(): void {
    createIndexes(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  #row(pk: number): QuoteRow | undefined {
    const sql = `SELECT ${QUOTE_COLUMNS} FROM quotes q WHERE q.pk = ?`;
    return this.#database.get<QuoteRow>(sql, pk);
  }

  /**
   * Reads a part of a plain list. SQLite steps over every row before an offset, so a walk with SQL alone is quadratic. The
   * cached pks, eight bytes each, give the pk at an offset: 6,600 pages of 190,340 quotes a second in place of 750.
   */
  #pageByPk(list: Pick<QuoteFilter, "language" | "curated">, offset: number, limit: number) {
    const pks = this.#pks(list);
    const rows = this.#database.all<QuoteRow>(
      `SELECT ${QUOTE_COLUMNS} FROM json_each(?) a CROSS JOIN quotes q ON q.pk = a.value`,
      JSON.stringify([...pks.subarray(offset, offset + limit)]),
    );
    return { rows, more: offset + limit < pks.length };
  }

  #pks({ language, curated }: Pick<QuoteFilter, "language" | "curated">): Float64Array {
    const name = JSON.stringify([language, curated]);
    let pks = this.#pkLists.get(name);
    if (pks === undefined) {
      const sql = `SELECT pk FROM quotes WHERE curated >= ?1 AND (?2 IS NULL OR language = ?2) ORDER BY pk`;
      pks = Float64Array.from(this.#database.column<number>(sql, Number(curated), language));
      // A request may name any text as a language: empty lists are not cached.
      if (pks.length > 0) this.#pkLists.set(name, pks);
    }
    return pks;
  }

  #change<T>(work: () => T): T {
    this.#pkLists.clear();
    return this.#database.transaction(work);
  }

  /** Adds a quote; false when its pk exists or was reported. */
  #insert(quote: StoredQuote): boolean {
    const added = this.#database.run(
      `INSERT INTO quotes(pk, quote, author, likes, tags, image, language, curated, length, source)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
       WHERE NOT EXISTS (SELECT 1 FROM reported WHERE pk = ?1) ON CONFLICT(pk) DO NOTHING`,
      ...[
        quote.pk,
        quote.quote,
        quote.author,
        quote.likes,
        JSON.stringify(quote.tags),
        quote.image,
      ],
      ...[quote.language, Number(quote.curated), countCodePoints(quote.quote)],
      quote.source === undefined ? null : JSON.stringify(quote.source),
    );
    if (added === 0) return false;
    for (const tag of new Set(quote.tags)) {
      this.#database.run("INSERT INTO quote_tags(tag, pk) VALUES (?, ?)", tag, quote.pk);
      const slug = makeTagSlug(tag);
      this.#database.run(
        `INSERT INTO tags(name, slug) SELECT ?1, iif(EXISTS (SELECT 1 FROM tags WHERE slug = ?2), ?3, ?2)
         WHERE true ON CONFLICT DO NOTHING`,
        ...[tag, slug, `${slug}_${hash32(tag).toString(36)}`],
      );
    }
    if (quote.author !== null) {
      const sql = "INSERT INTO authors(name, folded) VALUES (?, ?) ON CONFLICT DO NOTHING";
      this.#database.run(sql, quote.author, foldName(quote.author));
    }
    return true;
  }

  /** Removes a quote and returns it; undefined when there is no such quote. */
  #take(pk: number): StoredQuote | undefined {
    const quote = this.quote(pk);
    if (quote === undefined) return undefined;
    this.#database.run("DELETE FROM quotes WHERE pk = ?", pk);
    const sql = "DELETE FROM quote_tags WHERE pk = ? AND tag IN (SELECT value FROM json_each(?))";
    this.#database.run(sql, pk, JSON.stringify(quote.tags));
    return quote;
  }
}
