/**
 * Compares the quotes of this harvest with the published snapshot: which are missing, which similar quotes are known to
 * exist, and which fields quotes have lost.
 *
 * A quote whose record could not be read is not missing if its key could be read.
 */
import { UNDETERMINED } from "../../contract/languages.ts";
import type { Quote } from "../../contract/quote.ts";
import type { Database, Value } from "../../sqlite/database.ts";
import { attachPrevious } from "../format.ts";
import { BYTES, LENGTH, SERVED_TEXT } from "../row.ts";

/** The fields of a quote that a probe needs. */
export interface KnownQuote extends Pick<Quote, "id" | "language" | "tags"> {
  readonly servedText: string;
}

/** The quotes of the previous snapshot that a complete harvest lacks. */
export interface Gap {
  /** Quotes that are selected, and were not served. */
  readonly missing: readonly KnownQuote[];
  /** By language, of the quotes that are selected. */
  readonly languages: Readonly<Record<string, Turnover>>;
}

/** How many quotes come and go. Those that an earlier complete harvest missed were counted by it. */
export interface Turnover {
  readonly before: number;
  readonly missing: number;
  /** Quotes of this harvest that were not published when the previous snapshot was complete. */
  readonly added: number;
}

/** A field, counted over the quotes that are in both the previous snapshot and this harvest. */
export interface FieldLoss {
  readonly field: string;
  /** Quotes that had it before. */
  readonly had: number;
  /** Of these, quotes that lack it now. */
  readonly lost: number;
}

/** Upper bound of missing quotes to list: with more, only the counts matter. */
const MOST_LISTED = 20_000;
/** Enough neighbours to show whether the service applied a filter. */
const MOST_NEIGHBOURS = 2_000;

/** Whether a quote of the previous snapshot still passes the selection. */
export type IsSelected = (quote: Pick<KnownQuote, "language" | "tags">) => boolean;

/** SQL condition for quotes that this harvest did not see; of some records only the key could be read. */
const UNSEEN = `(NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id)
  AND id NOT IN (SELECT pk FROM main.quarantine WHERE pk IS NOT NULL))`;
const FROM_UNSEEN = `FROM previous_quotes AS old WHERE ${UNSEEN}`;
const COLUMNS = `id, language, tags, ${SERVED_TEXT} AS servedText`;

/**
 * Lists the quotes of the previous snapshot that this harvest did not see.
 *
 * @param previous path of the previous snapshot
 * @param host of the service; quotes that earlier runs did not probe are stored by host
 * @param began when this run began, in milliseconds since the epoch
 * @param complete when the previous snapshot was complete, ISO 8601
 */
export function findGap(
  work: Database,
  previous: string,
  isSelected: IsSelected,
  host: string,
  began: number,
  complete: string,
): Gap {
  defineSelected(work, isSelected);
  using _previous = attachPrevious(work, previous);
  const isWhole = work.get(`SELECT 1 ${FROM_UNSEEN} LIMIT 1`) === undefined;
  if (isWhole) return { missing: [], languages: {} };
  const rows = work.all<Turnover & { language: string }>(
    `SELECT language, sum(before) AS before, sum(missing) AS missing, sum(added) AS added FROM (
       SELECT language, 1 AS before, ${UNSEEN} AND id NOT IN (SELECT id FROM main.gone) AS missing, 0 AS added
         FROM previous_quotes AS old WHERE selected(language, tags) = 1
           AND id NOT IN (SELECT id FROM main.unprobed WHERE host = ?1 AND since < ?2)
       UNION ALL
       SELECT language, 0, 0, 1 FROM main.quotes WHERE id NOT IN (SELECT id FROM previous_quotes)
         OR id IN (SELECT id FROM previous_first_seen WHERE julianday(since) > julianday(?3)))
     GROUP BY language`,
    ...[host, began, complete],
  );
  return {
    missing: readMissing(work, "selected(language, tags) = 1", host),
    languages: Object.fromEntries(rows.map(({ language, ...counts }) => [language, counts])),
  };
}

/** Counts the texts of the previous snapshot's unseen quotes that quotes with new keys have. */
export function countRenumbered(work: Database, previous: string): number {
  using _previous = attachPrevious(work, previous);
  const added = "SELECT text FROM main.quotes WHERE id NOT IN (SELECT id FROM previous_quotes)";
  return work.number(`SELECT count(DISTINCT text) AS n ${FROM_UNSEEN} AND text IN (${added})`);
}

/** Lists the quotes that an earlier run missed and no run has seen or probed since, the oldest first. */
export function findUnprobed(work: Database, previous: string, host: string): KnownQuote[] {
  using _previous = attachPrevious(work, previous);
  return readMissing(work, "id IN (SELECT id FROM main.unprobed WHERE host = ?1)", host);
}

/** Keys of the unprobed quotes that were first missed before a time, in milliseconds since the epoch. */
export function findMissedBefore(work: Database, host: string, before: number): Set<number> {
  return new Set(
    work.column<number>("SELECT id FROM unprobed WHERE host = ? AND since < ?", host, before),
  );
}

function readMissing(work: Database, condition: string, host: string): KnownQuote[] {
  return readKnown(
    work,
    `SELECT ${COLUMNS} ${FROM_UNSEEN} AND ${condition}
        AND id NOT IN (SELECT id FROM main.gone)
      ORDER BY coalesce((SELECT since FROM main.unprobed WHERE host = ?1 AND id = old.id), 9e15), id
      LIMIT ${MOST_LISTED}`,
    host,
  );
}

function readKnown(work: Database, sql: string, ...values: Value[]): KnownQuote[] {
  const rows = work.all<Omit<KnownQuote, "tags"> & { readonly tags: string }>(sql, ...values);
  return rows.map((row) => ({ ...row, tags: JSON.parse(row.tags) as string[] }));
}

/** Stores which quotes are still to be probed, and deletes all others. */
export function saveUnprobed(
  work: Database,
  host: string,
  unprobed: readonly number[],
  now: number,
): void {
  const keys = JSON.stringify(unprobed);
  work.transaction(() => {
    work.run(
      "DELETE FROM unprobed WHERE host = ? AND id NOT IN (SELECT value FROM json_each(?))",
      ...[host, keys],
    );
    work.run(
      "INSERT INTO unprobed SELECT ?, value, ? FROM json_each(?) WHERE 1 ON CONFLICT DO NOTHING",
      ...[host, Math.round(now), keys],
    );
  });
}

/**
 * Lists quotes that are known to exist, in a language or in all (null), whose length in some unit may be within two
 * bounds: quotes that this run has seen, or if there are none, published ones.
 */
export function findNeighbours(
  work: Database,
  previous: string,
  ...place: readonly [language: string | null, low: number, high: number]
): KnownQuote[] {
  const select = (from: string): string =>
    `SELECT ${COLUMNS} FROM ${from} WHERE ${LENGTH} <= ?3 AND ${BYTES} >= ?2
        AND language = coalesce(?1, language) AND id NOT IN (SELECT id FROM main.gone)
        AND id NOT IN (SELECT id FROM main.unprobed) LIMIT ${MOST_NEIGHBOURS}`;
  const seen = readKnown(work, select("main.quotes"), ...place);
  if (seen.length > 0) return seen;
  using _previous = attachPrevious(work, previous);
  return readKnown(work, select("previous_quotes"), ...place);
}

/** Defines the SQL function `selected(language, tags)`. */
export function defineSelected(work: Database, isSelected: IsSelected): void {
  work.define("selected", (language, tags) => {
    if (typeof language !== "string" || typeof tags !== "string") return 0;
    return isSelected({ language, tags: JSON.parse(tags) as string[] }) ? 1 : 0;
  });
}

/** SQL by field: whether a quote has a value in it. */
const FILLED: Readonly<Record<string, string>> = {
  author: "author IS NOT NULL",
  tags: "tags <> '[]'",
  language: `language <> '${UNDETERMINED}'`,
  likes: "likes <> 0",
  source: "source IS NOT NULL",
};

const BOTH = "previous_quotes AS old JOIN main.quotes AS new USING (id)";

/** Counts changed quotes that have the same new text as another: the service may answer with a placeholder. */
const SAME_TEXT = `SELECT total(quotes) FROM (SELECT count(*) AS quotes
  FROM ${BOTH} WHERE new.text <> old.text GROUP BY new.text HAVING quotes > 1)`;

/** SQL: the language of a code without its region and case: a service may write "EN" or "en-US" for "en", on a part of its pages. */
const bare = (code: string): string => `lower(substr(${code}, 1, instr(${code} || '-', '-') - 1))`;

/**
 * Counts quotes that joined another language: the service may have filled the field with a default. Of each language, the
 * largest group with the same earlier language is left out, since the service may have renamed a code.
 */
const JOINED = `SELECT total(joined) FROM (SELECT sum(quotes) - max(quotes) AS joined
  FROM (SELECT ${bare("new.language")} AS language, count(*) AS quotes FROM ${BOTH}
    WHERE '${UNDETERMINED}' NOT IN (old.language, new.language)
    GROUP BY ${bare("new.language")}, ${bare("old.language")})
  GROUP BY language)`;

/** Counts, by field, the quotes that have lost it since the previous snapshot: the service may have renamed the field. */
export function countFieldLosses(work: Database, previous: string): FieldLoss[] {
  const counts = Object.entries(FILLED).map(([field, filled]) => {
    const joined = field === "language" ? `+ (${JOINED})` : "";
    return `, total(old.${filled}), total(old.${filled} AND NOT (new.${filled})) ${joined}`;
  });
  using _previous = attachPrevious(work, previous);
  const sql = `SELECT count(*), (${SAME_TEXT})${counts.join("")} FROM ${BOTH}`;
  const all = work.tuple<number[]>(sql) ?? [];
  return ["text", ...Object.keys(FILLED)].map((field, place) => {
    const [had = 0, lost = 0] = all.slice(2 * place);
    return { field, had, lost };
  });
}
