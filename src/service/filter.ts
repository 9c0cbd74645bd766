/**
 * Reads the filters of the quote list, and builds its SQL. Text of a request is always bound, never part of the SQL.
 *
 * An empty value is no filter; an invalid value (`minlength=abc`, `order=price`) is a bad request. `limit` and `offset`
 * are read elsewhere and never refused.
 */
import { z } from "zod";
import { foldName, QUOTE_COLUMNS } from "./quote.ts";
import type { Value } from "../sqlite/database.ts";

const ON = ["1", "true", "yes", "on"] as const;
const OFF = ["", "0", "false", "no", "off"] as const;

const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum([...ON, ...OFF]))
  .transform((word) => (ON as readonly string[]).includes(word));

const length = z
  .string()
  .trim()
  .regex(/^(?:[+-]?\d+)?$/)
  .transform((text) =>
    text === "" ? null : Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)),
  );

const code = z.string().trim();

export const filterSchema = z.object({
  tags: z
    .string()
    .transform((list) => [...new Set(list.split(",").map((name) => name.trim()))].filter(Boolean)),
  curated: flag,
  order: z.enum(["", "-likes"]),
  lang: code,
  language: code,
  author: z.string().transform(foldName),
  minlength: length,
  maxlength: length,
});

export type QuoteFilter = Readonly<NonNullable<ReturnType<typeof readFilter>>>;

/** @returns null when a value is invalid */
export function readFilter(readValue: (name: string) => string) {
  const raw = Object.keys(filterSchema.shape).map((name) => [name, readValue(name)]);
  const read = filterSchema.safeParse(Object.fromEntries(raw));
  if (!read.success) return null;
  const { tags, curated, order, lang, language, author, minlength, maxlength } = read.data;
  const codes = [...new Set([lang, language].filter((one) => one !== ""))];
  return {
    /** A quote must carry all of them. */
    tags,
    /** True for curated quotes only. */
    curated,
    /** Most liked first, ties by pk; otherwise by pk. */
    byLikes: order === "-likes",
    /** Null for any. No quote has two languages, and none has a language of this name. */
    language: codes.length > 1 ? codes.join(" and ") : (codes[0] ?? null),
    /** A folded part of the author's name; empty for any. */
    author,
    /** In code points, inclusive; null for no bound. */
    minLength: minlength,
    maxLength: maxlength,
  };
}

export interface Query {
  readonly sql: string;
  readonly values: readonly Value[];
}

type Condition = readonly [sql: string, ...values: Value[]];

/** Whether a list is the collection or a language, or the curated quotes of either, by pk: its pks are cached. */
export function isPlainList(filter: QuoteFilter): boolean {
  const { tags, byLikes, author, minLength, maxLength } = filter;
  return tags.length === 0 && !byLikes && author === "" && minLength === null && maxLength === null;
}

/** Selects the quotes that pass a filter. The subquery finds pks on indexes; full rows are read for the page only. */
export function selectFiltered(filter: QuoteFilter, offset: number, limit: number): Query {
  const ofQuotes = quoteConditions(filter);
  const ofTags = tagConditions(filter.tags);
  const conditions = [...ofTags, ...ofQuotes];
  const readsQuotes = ofTags.length === 0 || ofQuotes.length > 0 || filter.byLikes;
  const from = [
    ...(ofTags.length === 0 ? [] : ["quote_tags t"]),
    ...(readsQuotes ? ["quotes q"] : []),
  ].join(" CROSS JOIN ");
  const join = ofTags.length > 0 && readsQuotes ? ["q.pk = t.pk"] : [];
  const where = [...join, ...conditions.map(([sql]) => sql)].join(" AND ") || "true";
  const pk = ofTags.length === 0 ? "q.pk" : "t.pk";
  const order = filter.byLikes ? "q.likes DESC, q.pk" : pk;
  return {
    sql:
      `SELECT ${QUOTE_COLUMNS} FROM (SELECT ${pk} AS pk FROM ${from} WHERE ${where} ORDER BY ${order} ` +
      `LIMIT ? OFFSET ?) found CROSS JOIN quotes q ON q.pk = found.pk ` +
      `ORDER BY ${filter.byLikes ? "q.likes DESC, q.pk" : "q.pk"}`,
    values: [...conditions.flatMap(([, ...values]) => values), limit, offset],
  };
}

function tagConditions([first, ...rest]: readonly string[]): Condition[] {
  if (first === undefined) return [];
  if (rest.length === 0) return [["t.tag = ?", first]];
  // A join for each tag would exceed SQLite's limit of 64 tables.
  return [
    ["t.tag = ?", first],
    [
      "NOT EXISTS (SELECT 1 FROM json_each(?) asked WHERE NOT EXISTS " +
        "(SELECT 1 FROM quote_tags o WHERE o.tag = asked.value AND o.pk = t.pk))",
      JSON.stringify(rest),
    ],
  ];
}

function quoteConditions(filter: QuoteFilter): Condition[] {
  const conditions: Condition[] = [];
  if (filter.curated) conditions.push(["q.curated = 1"]);
  if (filter.language !== null) conditions.push(["q.language = ?", filter.language]);
  if (filter.author !== "") {
    // Not LIKE, where "%" and "_" are wildcards.
    const matching = "SELECT name FROM authors WHERE instr(folded, ?) > 0";
    conditions.push([`q.author IN (${matching})`, filter.author]);
  }
  if (filter.minLength !== null) conditions.push(["q.length >= ?", filter.minLength]);
  if (filter.maxLength !== null) conditions.push(["q.length <= ?", filter.maxLength]);
  return conditions;
}
