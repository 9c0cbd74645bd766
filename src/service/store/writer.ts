/**
 * Changes to the collection, each keeping the rows, their tags, the tag list, the authors and the ranks in step.
 *
 * What it keeps in memory is not undone when a transaction is: after a rollback, make a new one.
 */
import type { Database } from "../../sqlite/database.ts";
import { hash32 } from "../../contract/hash.ts";
import { codePoints, type HeldQuote } from "./held-quote.ts";
import { foldName, tagSlug } from "../query/names.ts";
import { Ranks } from "../query/ranks.ts";

interface RankedRow {
  readonly pk: number;
  readonly language: string;
  readonly curated: number;
}

export class Writer {
  readonly #database: Database;
  readonly ranks = new Ranks();
  /** What is listed already, so that a load of a million rows asks SQLite once a name. */
  readonly #tags: Set<string>;
  readonly #authors: Set<string>;

  constructor(database: Database) {
    this.#database = database;
    for (const { pk, language, curated } of database.each<RankedRow & object>(
      "SELECT pk, language, curated FROM quotes ORDER BY pk",
    )) {
      this.ranks.add({ pk, language, curated: curated === 1 });
    }
    this.#tags = namesIn(database, "tags");
    this.#authors = namesIn(database, "authors");
  }

  /** Adds a quote. False, and nothing done, when its pk is taken or was reported. */
  insert(held: HeldQuote): boolean {
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
      held.curated ? 1 : 0,
      codePoints(held.quote),
    );
    if (added === 0) return false;
    for (const tag of new Set(held.tags)) {
      this.#database.run("INSERT INTO quote_tags(tag, pk) VALUES (?, ?)", tag, held.pk);
      this.#listTag(tag);
    }
    if (held.author !== null) this.#listAuthor(held.author);
    this.ranks.add(held);
    return true;
  }

  /** Takes a quote out of the collection. */
  remove(held: HeldQuote): void {
    this.#database.run("DELETE FROM quotes WHERE pk = ?", held.pk);
    for (const tag of new Set(held.tags)) {
      this.#database.run("DELETE FROM quote_tags WHERE tag = ? AND pk = ?", tag, held.pk);
    }
    this.ranks.remove(held);
  }

  #listTag(name: string): void {
    if (this.#tags.has(name)) return;
    const slug = tagSlug(name);
    const taken = this.#database.get("SELECT 1 FROM tags WHERE slug = ?", slug) !== undefined;
    this.#database.run(
      "INSERT INTO tags(name, slug) VALUES (?, ?) ON CONFLICT DO NOTHING",
      name,
      taken ? `${slug}_${hash32(name).toString(36)}` : slug,
    );
    this.#tags.add(name);
  }

  #listAuthor(name: string): void {
    if (this.#authors.has(name)) return;
    this.#database.run("INSERT INTO authors(name, folded) VALUES (?, ?)", name, foldName(name));
    this.#authors.add(name);
  }
}

function namesIn(database: Database, table: "tags" | "authors"): Set<string> {
  const rows = database.each<{ name: string }>(`SELECT name FROM ${table}`);
  return new Set([...rows].map(({ name }) => name));
}
