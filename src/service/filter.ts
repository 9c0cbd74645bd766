/**
 * Reads the filters of the quote list, and builds its SQL. Text from a request is always a bound value, never SQL.
 *
 * An empty value is no filter; an invalid value (`minlength=abc`, `order=price`) is a bad request.
 */
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { foldName, QUOTE_COLUMNS } from "./quote.ts";
import { readValue } from "./request.ts";
import type { Value } from "../sqlite/database.ts";

const flag = z.stringbool({
  truthy: ["1", "true", "yes", "on"],
  falsy: ["", "0", "false", "no", "off"],
});

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

export type QuoteFilter = Readonly<ReturnType<typeof readFilter>>;

const FILTER_NAMES = filterSchema.keyof().options;

export type FilterName = (typeof FILTER_NAMES)[number];

/** @param only filters to read; all others are ignored */
export function readFilter(parameters: URLSearchParams, only?: readonly FilterName[]) {
  const raw = FILTER_NAMES.map((name) => {
    return [name, only?.includes(name) === false ? "" : readValue(parameters, name)];
  });
  const read = filterSchema.safeParse(Object.fromEntries(raw));
  if (!read.success) throw new HTTPException(400);
  const { tags, curated, order, lang, language, author, minlength, maxlength } = read.data;
  const codes = [...new Set([lang, language].filter((one) => one !== ""))];
  return {
    /** A quote must carry all of them. */
    tags,
    /** True for curated quotes only. */
    curated,
    /** Most liked first, ties by pk; otherwise by pk. */
    byLikes: order === "-likes",
    /** Null for any. Two different codes become a name that no language has, so no quote matches. */
    language: codes.length > 1 ? codes.join(" and ") : (codes[0] ?? null),
    /** A folded part of the author's name; empty for any. */
    author,
    /** In code points, inclusive; null for no bound. */
    minLength: minlength,
    maxLength: maxlength,
  };
}

/** Whether a filter has only `language` and `curated`, ordered by pk: the store caches the pks of such lists. */
export function isPlainList(filter: QuoteFilter): boolean {
  const { tags, byLikes, author, minLength, maxLength } = filter;
  return tags.length === 0 && !byLikes && author === "" && minLength === null && maxLength === null;
}

/** Selects the quotes that match a filter. The subquery reads pks from indexes; only rows of the page are read in full. */
export function selectFiltered(filter: QuoteFilter, offset: number, limit: number) {
  const { tags, curated, byLikes, language, author, minLength, maxLength } = filter;
  const [tag, ...moreTags] = tags;
  const conditions: string[] = [];
  const values: Value[] = [];
  const where = (isAsked: boolean, sql: string, ...bound: Value[]): void => {
    if (!isAsked) return;
    conditions.push(sql);
    values.push(...bound);
  };
  where(curated, "q.curated = 1");
  where(language !== null, "q.language = ?", language);
  // LIKE would read "%" and "_" as wildcards.
  const matching = "SELECT name FROM authors WHERE instr(folded, ?) > 0";
  where(author !== "", `q.author IN (${matching})`, author);
  where(minLength !== null, "q.length >= ?", minLength);
  where(maxLength !== null, "q.length <= ?", maxLength);
  let [from, pk] = ["quotes q", "q.pk"];
  if (tag !== undefined) {
    // Without other conditions, the index of tags has all the query needs.
    const readsQuotes = conditions.length > 0 || byLikes;
    [from, pk] = [readsQuotes ? "quote_tags t CROSS JOIN quotes q" : "quote_tags t", "t.pk"];
    where(readsQuotes, "q.pk = t.pk");
    where(true, "t.tag = ?", tag);
    // A join for each tag would exceed SQLite's limit of 64 tables.
    const hasAll =
      "NOT EXISTS (SELECT 1 FROM json_each(?) asked WHERE NOT EXISTS " +
      "(SELECT 1 FROM quote_tags o WHERE o.tag = asked.value AND o.pk = t.pk))";
    where(moreTags.length > 0, hasAll, JSON.stringify(moreTags));
  }
  return {
    sql:
      `SELECT ${QUOTE_COLUMNS} FROM (SELECT ${pk} AS pk FROM ${from} WHERE ${conditions.join(" AND ") || "true"} ` +
      `ORDER BY ${byLikes ? "q.likes DESC, q.pk" : pk} LIMIT ? OFFSET ?) found ` +
      `CROSS JOIN quotes q ON q.pk = found.pk ORDER BY ${byLikes ? "q.likes DESC, q.pk" : "q.pk"}`,
    values: [...values, limit, offset],
  };
}
