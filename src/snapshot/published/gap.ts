/**
 * How this harvest compares with the published snapshot: what it did not meet, what is known of the quotes around that,
 * and what quotes have lost.
 *
 * A quote that could not be read is there, if its key could be read.
 */
import type { Emptied, Gap, MissingQuote, Neighbour } from "../../contract/missing.ts";
import { UNDETERMINED } from "../../contract/languages.ts";
import type { Database } from "../../sqlite/database.ts";
import { LENGTH } from "../row.ts";

/** Quotes that anyone would ask for one by one; beyond that, the counts alone matter. */
const MOST_LISTED = 20_000;
/** Neighbours that are enough to show whether the service applied the filter. */
const MOST_NEIGHBOURS = 2_000;

/** Whether a quote of the snapshot before is still asked for. */
export type Asked = (quote: Pick<Neighbour, "language" | "tags">) => boolean;

/** Keys of this harvest's quotes, and of the records of which it could read no more than that. */
const MET = `(SELECT id FROM main.quotes UNION ALL
  SELECT pk FROM main.quarantine WHERE pk IS NOT NULL)`;
const UNMET = `FROM previous.quotes AS old WHERE id NOT IN ${MET}`;
const WORDS = "coalesce(served ->> '$.quote', text) AS words";

/**
 * @param previous path of the snapshot before
 * @param host of the service, by which it is known what was not asked for yet
 */
export function gapTo(work: Database, previous: string, asked: Asked, host: string): Gap {
  defineAsked(work, asked);
  const open = `${UNMET} AND asked(language, tags) = 1 AND id NOT IN (SELECT id FROM main.gone)`;
  return withPrevious(work, previous, () => {
    const rows = work.all<{ language: string; before: number; missing: number }>(
      `SELECT language, count(*) AS before, sum(id NOT IN ${MET}) AS missing
         FROM previous.quotes AS old WHERE asked(language, tags) = 1 GROUP BY language`,
    );
    return {
      missing: missingIn(work, open, host),
      languages: Object.fromEntries(rows.map(({ language, ...counts }) => [language, counts])),
    };
  });
}

/** Quotes of an earlier night that were not met then and not asked for since, the oldest first. */
export function unprobedIn(work: Database, previous: string, host: string): MissingQuote[] {
  const carried = `${UNMET} AND id IN (SELECT id FROM main.unprobed WHERE host = ?1)
    AND id NOT IN (SELECT id FROM main.gone)`;
  return withPrevious(work, previous, () => missingIn(work, carried, host));
}

function missingIn(work: Database, from: string, host: string): MissingQuote[] {
  return work
    .all<Row>(
      `SELECT id, language, tags, ${WORDS} ${from}
        ORDER BY coalesce((SELECT since FROM main.unprobed WHERE host = ?1 AND id = old.id), 9e15), id
        LIMIT ${MOST_LISTED}`,
      host,
    )
    .map(unpacked);
}

/** Notes what is still to be asked for, and forgets what is not. */
export function carryUnprobed(
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
 * Quotes that are known to be there, in a language or in all, between two lengths in one unit or another: those that this run
 * has met, or as long as it has met too few, those that are published.
 */
export function neighboursIn(
  work: Database,
  previous: string,
  [language, low, high]: readonly [string | null, number, number],
): Neighbour[] {
  // Code points are the shortest unit, and bytes the longest.
  const near = (from: string): string =>
    `SELECT id, language, tags, ${WORDS} FROM ${from} WHERE ${LENGTH} <= ?3
        AND length(CAST(coalesce(served ->> '$.quote', text) AS BLOB)) >= ?2 AND language = coalesce(?1, language)
        AND id NOT IN (SELECT id FROM main.gone)
        AND id NOT IN (SELECT id FROM main.unprobed) LIMIT ${MOST_NEIGHBOURS}`;
  const met = work.all<Row>(near("main.quotes"), language, low, high);
  if (met.length > 0) return met.map(unpacked);
  return withPrevious(work, previous, () =>
    work.all<Row>(near("previous.quotes"), language, low, high).map(unpacked),
  );
}

/** Makes `asked(language, tags)` callable in SQL. */
export function defineAsked(work: Database, asked: Asked): void {
  work.define("asked", (language, tags) => {
    if (typeof language !== "string" || typeof tags !== "string") return 0;
    return asked({ language, tags: JSON.parse(tags) as string[] }) ? 1 : 0;
  });
}

interface Row {
  readonly id: number;
  readonly language: string;
  /** JSON array. */
  readonly tags: string;
  readonly words: string;
}

function unpacked({ id, language, tags, words }: Row): Neighbour {
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

/** By field, whether a row has something in it. */
const FILLED: Readonly<Record<string, string>> = {
  author: "author IS NOT NULL",
  tags: "tags <> '[]'",
  language: `language <> '${UNDETERMINED}'`,
  likes: "likes <> 0",
};

/**
 * What quotes had in the snapshot before and lack in what was read since: a field that was renamed looks like that.
 *
 * @param previous path of the snapshot before
 */
export function emptiedSince(work: Database, previous: string): Emptied[] {
  return withPrevious(work, previous, () =>
    Object.entries(FILLED).map(([field, filled]) => {
      const both = `previous.quotes AS old JOIN main.quotes AS new USING (id) WHERE old.${filled}`;
      const had = work.number(`SELECT count(*) AS n FROM ${both}`);
      const lost = work.number(`SELECT count(*) AS n FROM ${both} AND NOT (new.${filled})`);
      return { field, had, lost };
    }),
  );
}
