/** A quote as a row of the working database and of a published one. */
import { parseJson } from "../contract/decode.ts";
import { DiskError } from "../contract/errors.ts";
import type { Quote } from "../contract/quote.ts";
import type { Database, Value } from "../sqlite/database.ts";

/** A column of the table `quotes`. */
interface Column<Field> {
  readonly sql: string;
  toSql(field: Field): Value;
  fromSql(value: unknown): Field;
}

/** A field that SQLite stores as it is. */
const plain = <Field extends Value>(sql: string): Column<Field> => ({
  sql,
  toSql: (field) => field,
  fromSql: (value) => value as Field,
});

const json = <Field extends object | null>(
  sql: string,
  isField: (value: object) => boolean,
): Column<Field> => ({
  sql,
  toSql: (field) => (field === null ? null : JSON.stringify(field)),
  fromSql: (value) => {
    if (value === null) return null as Field;
    const text = typeof value === "string" ? value : "";
    const field = parseJson(text);
    if (typeof field === "object" && field !== null && isField(field)) return field as Field;
    throw new DiskError(
      `Cannot read a quote of the state: expected JSON, got ${JSON.stringify(text.slice(0, 40))}; the state is damaged: publish another snapshot with "npm run snapshots -- use ID"`,
    );
  },
});

const areNames = (value: object): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === "string");

/** Whether a value has the shape of a `QuoteSource`. */
function isSource(value: object): boolean {
  const { work, year } = value as Readonly<Record<string, unknown>>;
  return typeof work === "string" && (year === null || typeof year === "string");
}

/**
 * Every field of a quote. A new one comes last, may be null, and needs a new `PUBLISHED_VERSION` and version of the working
 * database: older files lack it, and their quotes have null.
 */
const COLUMNS: { readonly [Field in keyof Quote]: Column<Quote[Field]> } = {
  id: plain("INTEGER PRIMARY KEY"),
  text: plain("TEXT NOT NULL"),
  author: plain("TEXT"),
  likes: plain("INTEGER NOT NULL"),
  tags: json("TEXT NOT NULL", areNames),
  image: plain("TEXT"),
  language: plain("TEXT NOT NULL"),
  served: json("TEXT", (value) => !Array.isArray(value)),
  source: json("TEXT", isSource),
};

/** SQL types by column. */
export const QUOTE_COLUMNS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, { sql }]) => [name, sql]),
);

const NAMES = Object.keys(COLUMNS) as (keyof Quote)[];
const FIELDS = NAMES.map((name): [keyof Quote, Column<unknown>] => [
  name,
  COLUMNS[name] as Column<unknown>,
]);

/** The columns for a query. @param of the table's name in it */
export const columnsOf = (of = ""): string =>
  NAMES.map((name) => (of === "" ? name : `${of}.${name}`)).join(", ");

/** A column of each table for a schema. */
export const definitionsOf = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${name} ${sql}`)
    .join(", ");

const valuesOf = (quote: Quote): Value[] =>
  FIELDS.map(([name, column]) => column.toSql(quote[name]));

/** @param row values in the order of `columnsOf()` */
export function toQuote(row: readonly unknown[]): Quote {
  const quote: Record<string, unknown> = {};
  let at = 0;
  for (const [name, column] of FIELDS) quote[name] = column.fromSql(row[at++]);
  return quote as unknown as Quote;
}

/** The text as it was served, as SQL: the service filters by its length. */
export const SERVED_TEXT = "coalesce(served ->> '$.quote', text)";

/** Its length in code points, the smallest unit count; indexed once a collection is cut into slices. */
export const LENGTH = `length(${SERVED_TEXT})`;

/** Its length in UTF-8 bytes, the largest unit count. */
export const BYTES = `length(CAST(${SERVED_TEXT} AS BLOB))`;

const ROW = `(${NAMES.map(() => "?").join(", ")})`;
const INSERT = `INSERT INTO quotes VALUES ${ROW} ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE quotes SET (${columnsOf()}) = ${ROW} WHERE id = ?`;

const SELECT = `SELECT ${columnsOf()} FROM quotes WHERE id = ?`;

/** The stored quote with a key. */
export function readQuote(database: Database, id: number): Quote | undefined {
  const row = database.tuple<unknown[]>(SELECT, id);
  return row === undefined ? undefined : toQuote(row);
}

/**
 * Inserts or updates the quotes of a window; the latest version served wins.
 *
 * @param choose decides between two versions with different texts or languages; default: the latest
 * @returns number of new quotes
 */
export function writeQuotes(
  database: Database,
  quotes: readonly Quote[],
  choose: (before: Quote, now: Quote) => Quote = (_, now) => now,
): number {
  const isNew = (quote: Quote): boolean => {
    if (database.run(INSERT, ...valuesOf(quote)) === 1) return true;
    const before = readQuote(database, quote.id) ?? quote;
    const isOne = before.text === quote.text && before.language === quote.language;
    const chosen = isOne ? quote : choose(before, quote);
    database.run(UPDATE, ...valuesOf(chosen), quote.id);
    return false;
  };
  return quotes.filter(isNew).length;
}
