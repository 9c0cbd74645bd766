/**
 * Which quotes of a draft are curated: from the windows that were read with that filter, or from the snapshot before.
 *
 * Only a list that was read to its end takes the word back: a part of it adds to what was known.
 */
import type { CuratedFact } from "../../contract/harvest-result.ts";
import type { Database } from "../../sqlite/database.ts";

/** What was read of the list of curated quotes. */
export interface CuratedRead {
  /** "all" of it, "some" of it, or "none". */
  readonly seen: "all" | "some" | "none";
  readonly run: number;
  /** Quotes that may cease to be curated: more is no change of mind, but a list that failed. */
  readonly mayLose: number;
}

/** Keys seen in windows of a curated list; the third part of a filter's name says whether it is one. */
const SEEN = `SELECT DISTINCT key.value AS id FROM main.windows AS window, json_each(window.pks) AS key
  WHERE window.run = ? AND json_extract(window.filter, '$[2]') = 1`;

/**
 * Fills `draft.curated`, once `draft.quotes` is filled.
 *
 * @param before what the snapshot before knows of the same selection; undefined when nothing
 * @param now ISO 8601
 * @returns what may be said; undefined when nothing may
 */
export function fillCurated(
  work: Database,
  { seen: read, run, mayLose }: CuratedRead,
  before: CuratedFact | undefined,
  now: string,
): CuratedFact | undefined {
  if (read !== "all" && before === undefined) return undefined;
  const lost = read === "all" && before !== undefined ? curatedLost(work, run) : 0;
  const seen = lost > mayLose ? "some" : read;
  const insert = (from: string, ...values: number[]): void => {
    work.run(
      `INSERT INTO draft.curated SELECT id FROM (${from})
        WHERE id IN (SELECT id FROM draft.quotes) ON CONFLICT DO NOTHING`,
      ...values,
    );
  };
  if (seen !== "none") insert(SEEN, run);
  if (seen !== "all") insert("SELECT id FROM previous.curated");
  const quotes = work.get<{ n: number }>("SELECT count(*) AS n FROM draft.curated")?.n ?? 0;
  return { asOf: seen === "all" || before === undefined ? now : before.asOf, quotes };
}

/** Quotes that stay, were curated and are not any more. */
function curatedLost(work: Database, run: number): number {
  const sql = `SELECT count(*) AS n FROM previous.curated
    WHERE id IN (SELECT id FROM draft.quotes) AND id NOT IN (${SEEN})`;
  return work.get<{ n: number }>(sql, run)?.n ?? 0;
}

/** How many quotes the windows of this run's curated lists hold. */
export function curatedSeen(work: Database, run: number): number {
  return work.get<{ n: number }>(`SELECT count(*) AS n FROM (${SEEN})`, run)?.n ?? 0;
}
