/**
 * What the ledger knows of recipes: for each file the place of its own, and of which file of recipes all these are places.
 *
 * Only those below `sure` are believed: the run that made the others did not live to keep the fragments they name.
 */
import type { Database } from "../../sqlite/database.ts";

/** Where a page's recipe lies. */
export interface RecipePlace {
  /** Offset of its block in the file of recipes. */
  readonly block: number;
  readonly place: number;
  /** Its part of the block's length, in bytes. */
  readonly share: number;
  /** CRC-32 of the page that it makes. */
  readonly checksum: number;
}

/** The same as the ledger's columns. */
export function columnsOf(recipe: RecipePlace | null): (number | null)[] {
  const { block = null, place = null, share = null, checksum = null } = recipe ?? {};
  return [block, place, share, checksum];
}

/** A page that can be put together. */
export type RecipeRow = readonly [
  path: string,
  size: number,
  mtime: number,
  checksum: number,
  block: number,
  place: number,
];

/** The file of recipes that the places are of. */
export interface RecipeBook {
  readonly name: string;
  /** Seed of the fragments' table: tells the fragments that are named from those of another store. */
  readonly fragments: number;
  /** Bytes from its beginning that are safe on disk, with every fragment that is named there. */
  readonly sure: number;
}

export const RECIPES_SCHEMA = `
  DROP TABLE IF EXISTS recipes;
  CREATE TABLE recipes(name TEXT NOT NULL, fragments INTEGER NOT NULL, sure INTEGER NOT NULL) STRICT;
`;

const KNOWN = "trusted = 1 AND block < (SELECT sure FROM recipes)";

export class RecipeRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get book(): RecipeBook | null {
    return this.#database.get<RecipeBook>("SELECT name, fragments, sure FROM recipes") ?? null;
  }

  /** Takes up a file of recipes that holds none yet. */
  begin(name: string, fragments: number): void {
    this.#database.transaction(() => {
      this.forgetFrom(0);
      this.#open({ name, fragments, sure: 0 });
    });
  }

  /** Forgets all recipes from an offset on. */
  forgetFrom(offset: number): void {
    this.#database.run("UPDATE files SET block = NULL WHERE block >= ?", offset);
  }

  /** From now on all recipes below an offset are believed. */
  believe(bytes: number): void {
    this.#database.run("UPDATE recipes SET sure = ?", bytes);
  }

  /** Takes up a file that the living recipes were copied to. What was not is forgotten. */
  move(book: RecipeBook, to: Iterable<readonly [path: string, place: RecipePlace]>): void {
    this.#database.transaction(() => {
      this.forgetFrom(0);
      for (const [path, place] of to) {
        const sql = "UPDATE files SET block = ?, place = ?, share = ?, checksum = ? WHERE path = ?";
        this.#database.run(sql, ...columnsOf(place), path);
      }
      this.#open(book);
    });
  }

  /** Bytes of all recipes that some page has. */
  get liveBytes(): number {
    const sql = "SELECT total(share) AS bytes FROM files WHERE block IS NOT NULL";
    return this.#database.get<{ bytes: number }>(sql)?.bytes ?? 0;
  }

  /** In the order in which they lie. */
  all(): Iterable<RecipeRow> {
    return this.#database.tuples(
      `SELECT path, size, mtime, checksum, block, place FROM files WHERE ${KNOWN} ORDER BY block, place`,
    );
  }

  /** Some of those files, by which a folder shows whether it was lost. */
  some(count: number): string[] {
    return ["ASC", "DESC"].flatMap((order) => {
      const sql = `SELECT path FROM files WHERE ${KNOWN} ORDER BY path ${order} LIMIT ?`;
      return this.#database.all<{ path: string }>(sql, count).map(({ path }) => path);
    });
  }

  #open({ name, fragments, sure }: RecipeBook): void {
    this.#database.run("DELETE FROM recipes");
    this.#database.run(
      "INSERT INTO recipes (name, fragments, sure) VALUES (?, ?, ?)",
      ...[name, fragments, sure],
    );
  }
}
