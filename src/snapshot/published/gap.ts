/**
 * Compares the quotes of this harvest with the published snapshot: which are missing, which similar quotes are known to
 * exist, and which fields quotes have lost.
 *
 * A quote whose record could not be read is not missing if its key could be read.
 */
import { UNDETERMINED } from "../../contract/languages.ts";
import type { Quote } from "../../contract/quote.ts";
import type { Database } from "../../sqlite/database.ts";
import { LENGTH } from "../row.ts";

/** What a question about a quote needs to know of it. */
export interface KnownQuote extends Pick<Quote, "id" | "language" | "tags"> {
  /** The text as it was served: the service filters by its length. */
  readonly words: string;
}

/** How a complete harvest compares with the snapshot before it. */
export interface Gap {
  /** Quotes that are selected, and were not served. */
  readonly missing: readonly KnownQuote[];
  /** By language, of the quotes that are selected. */
  readonly languages: Readonly<
    Record<string, { readonly before: number; readonly missing: number }>
  >;
}

/** A field, counted over the quotes that are in both the snapshot before and this harvest. */
export interface Emptied {
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

/** Whether a quote of the snapshot before still passes the selection. */
export type IsSelected = (quote: Pick<KnownQuote, "language" | "tags">) => boolean;

/** Quotes that this harvest did not see; of some records only the key could be read. */
const UNSEEN = `(NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id)
  AND id NOT IN (SELECT pk FROM main.quarantine WHERE pk IS NOT NULL))`;
const FROM_UNSEEN = `FROM previous.quotes AS old WHERE ${UNSEEN}`;
const WORDS = "coalesce(served ->> '$.quote', text) AS words";

/**
 * Lists the quotes of the snapshot before that this harvest did not see.
 *
 * @param previous path of the snapshot before
 * @param host of the service; what was carried over from earlier runs is stored by host
 */
export function findGap(
  work: Database,
  previous: string,
  isSelected: IsSelected,
  host: string,
): Gap {
  defineSelected(work, isSelected);
  const open = `${FROM_UNSEEN} AND selected(language, tags) = 1 AND id NOT IN (SELECT id FROM main.gone)`;
  return withPrevious(work, previous, () => {
    const isWhole = work.get(`SELECT 1 ${FROM_UNSEEN} LIMIT 1`) === undefined;
    if (isWhole) return { missing: [], languages: {} };
    const rows = work.all<{ language: string; before: number; missing: number }>(
      `SELECT language, count(*) AS before, sum(${UNSEEN}) AS missing
         FROM previous.quotes AS old WHERE selected(language, tags) = 1 GROUP BY language`,
    );
    return {
      missing: readMissing(work, open, host),
      languages: Object.fromEntries(rows.map(({ language, ...counts }) => [language, counts])),
    };
  });
}

/** Lists the quotes that an earlier run carried over and no run has seen or probed since, the oldest first. */
export function findUnprobed(work: Database, previous: string, host: string): KnownQuote[] {
  const carried = `${FROM_UNSEEN} AND id IN (SELECT id FROM main.unprobed WHERE host = ?1)
    AND id NOT IN (SELECT id FROM main.gone)`;
  return withPrevious(work, previous, () => readMissing(work, carried, host));
}

/** Keys of the quotes that were carried over before a time, in milliseconds since the epoch. */
export function findCarried(work: Database, host: string, before: number): Set<number> {
  const sql = "SELECT id FROM unprobed WHERE host = ? AND since < ?";
  return new Set(work.all<{ id: number }>(sql, host, before).map(({ id }) => id));
}

function readMissing(work: Database, from: string, host: string): KnownQuote[] {
  return work
    .all<Row>(
      `SELECT id, language, tags, ${WORDS} ${from}
        ORDER BY coalesce((SELECT since FROM main.unprobed WHERE host = ?1 AND id = old.id), 9e15), id
        LIMIT ${MOST_LISTED}`,
      host,
    )
    .map(toKnownQuote);
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
    const forget =
      "DELETE FROM unprobed WHERE host = ? AND id NOT IN (SELECT value FROM json_each(?))";
    work.run(forget, host, keys);
    const note =
      "INSERT INTO unprobed SELECT ?, value, ? FROM json_each(?) WHERE 1 ON CONFLICT DO NOTHING";
    work.run(note, host, Math.round(now), keys);
  });
}

/**
 * Lists quotes that are known to exist, in a language or in all (null), whose length in some unit may be within two
 * bounds: those that this run has seen, or where it has seen none, those that are published.
 */
export function findNeighbours(
  work: Database,
  previous: string,
  [language, low, high]: readonly [string | null, number, number],
): KnownQuote[] {
  // Code points are the smallest unit count of a text, and bytes the largest.
  const select = (from: string): string =>
    `SELECT id, language, tags, ${WORDS} FROM ${from} WHERE ${LENGTH} <= ?3
        AND length(CAST(coalesce(served ->> '$.quote', text) AS BLOB)) >= ?2 AND language = coalesce(?1, language)
        AND id NOT IN (SELECT id FROM main.gone)
        AND id NOT IN (SELECT id FROM main.unprobed) LIMIT ${MOST_NEIGHBOURS}`;
  const seen = work.all<Row>(select("main.quotes"), language, low, high);
  if (seen.length > 0) return seen.map(toKnownQuote);
  return withPrevious(work, previous, () =>
    work.all<Row>(select("previous.quotes"), language, low, high).map(toKnownQuote),
  );
}

/** Defines the SQL function `selected(language, tags)`. */
export function defineSelected(work: Database, isSelected: IsSelected): void {
  work.define("selected", (language, tags) => {
    if (typeof language !== "string" || typeof tags !== "string") return 0;
    return isSelected({ language, tags: JSON.parse(tags) as string[] }) ? 1 : 0;
  });
}

/** `KnownQuote` with its tags as a JSON array. */
type Row = Omit<KnownQuote, "tags"> & { readonly tags: string };

function toKnownQuote({ id, language, tags, words }: Row): KnownQuote {
  return { id, language, tags: JSON.parse(tags) as string[], words };
}

function withPrevious<T>(work: Database, previous: string, read: () => T): T {
  work.attach(previous, "previous");
  try {
    return read();
  } finally {
    work.exec("DETACH previous");
  }
}

/** SQL by field: whether a quote has a value in it. */
const FILLED: Readonly<Record<string, string>> = {
  author: "author IS NOT NULL",
  tags: "tags <> '[]'",
  language: `language <> '${UNDETERMINED}'`,
  likes: "likes <> 0",
};

const BOTH = "previous.quotes AS old JOIN main.quotes AS new USING (id)";

/** Quotes whose new text other changed quotes have too: the service may answer with a placeholder. */
const SAME_TEXT = `SELECT total(quotes) FROM (SELECT count(*) AS quotes
  FROM ${BOTH} WHERE new.text <> old.text GROUP BY new.text HAVING quotes > 1)`;

/**
 * Counts, by field, the quotes that have lost it since the snapshot before: the service may have renamed the field.
 *
 * @param previous path of the snapshot before
 */
export function countEmptied(work: Database, previous: string): Emptied[] {
  const counts = Object.values(FILLED).map(
    (filled) => `, total(old.${filled}), total(old.${filled} AND NOT (new.${filled}))`,
  );
  return withPrevious(work, previous, () => {
    const sql = `SELECT count(*), (${SAME_TEXT})${counts.join("")} FROM ${BOTH}`;
    const all = work.tuple<number[]>(sql) ?? [];
    return ["text", ...Object.keys(FILLED)].map((field, place) => {
      const [had = 0, lost = 0] = all.slice(2 * place);
      return { field, had, lost };
    });
  });
}
