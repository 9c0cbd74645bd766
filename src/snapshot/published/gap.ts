/**
 * What this harvest did not meet of the published snapshot, and what is known of the quotes around it.
 *
 * A quote that could not be read is there, if its key could be read.
 */
import type { Gap, MissingQuote, Neighbour } from "../../contract/missing.ts";
import type { Database } from "../../sqlite/database.ts";
import { LENGTH } from "../work/windows.ts";
import { quoted } from "./sql.ts";

/** Quotes that anyone would ask for one by one; beyond that, the counts alone matter. */
const MOST_LISTED = 20_000;
/** Neighbours that are enough to tell whether a question was understood. */
const MOST_NEIGHBOURS = 2_000;

/** Whether a quote of the snapshot before is still asked for, from its language and tags. */
export type Asked = (language: string, tags: readonly string[]) => boolean;

/** Keys of this harvest's quotes, and of the records of which it could read no more than that. */
const MET = `(SELECT id FROM main.quotes UNION ALL
  SELECT pk FROM main.quarantine WHERE pk IS NOT NULL)`;
const UNMET = `FROM previous.quotes AS old WHERE id NOT IN ${MET}`;
const WORDS = "coalesce(served ->> '$.quote', text) AS words";

/** What stays published of the snapshot before though everything else that was not met goes. */
export const UNREADABLE = "id IN (SELECT pk FROM main.quarantine WHERE pk IS NOT NULL)";

/**
 * @param previous path of the snapshot before
 * @param host of the service, by which it is known what was not asked for yet
 */
export function gapTo(work: Database, previous: string, asked: Asked, host: string): Gap {
  return withPrevious(work, previous, () => {
    defineAsked(work, asked);
    return {
      missing: missingIn(
        work,
        `${UNMET} AND asked(language, tags) = 1 AND id NOT IN (SELECT id FROM main.gone)`,
        host,
      ),
      languages: languagesOf(work),
      deselected:
        work.get<{ n: number }>(`SELECT count(*) AS n ${UNMET} AND asked(language, tags) = 0`)?.n ??
        0,
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
    work.run(
      "DELETE FROM unprobed WHERE host = ? AND id NOT IN (SELECT value FROM json_each(?))",
      host,
      keys,
    );
    work.run(
      `INSERT INTO unprobed SELECT ?, value, ? FROM json_each(?) WHERE 1 ON CONFLICT DO NOTHING`,
      host,
      Math.round(now),
      keys,
    );
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
    return asked(language, JSON.parse(tags) as string[]) ? 1 : 0;
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
  work.exec(`ATTACH ${quoted(previous)} AS previous`);
  try {
    return read();
  } finally {
    work.exec("DETACH previous");
  }
}

function languagesOf(work: Database): Gap["languages"] {
  const rows = work.all<{ language: string; before: number; missing: number }>(
    `SELECT language, count(*) AS before, sum(id NOT IN ${MET}) AS missing
       FROM previous.quotes AS old WHERE asked(language, tags) = 1 GROUP BY language`,
  );
  return Object.fromEntries(
    rows.map(({ language, before, missing }) => [language, { before, missing }]),
  );
}
