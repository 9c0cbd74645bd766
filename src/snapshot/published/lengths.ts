/** The published quotes by length, for a run that reads its list in slices: they show what each slice should hold. */
import type { Database } from "../../sqlite/database.ts";
import { attachPrevious } from "../format.ts";
import { BYTES, LENGTH } from "../row.ts";

/** Published quotes that this run has not seen, and that no probe found gone. */
const UNSEEN = "id NOT IN (SELECT id FROM main.quotes) AND id NOT IN (SELECT id FROM main.gone)";

/**
 * Copies lengths and languages into a temporary table when they are first needed.
 *
 * @param previous path of the published snapshot
 */
export function openPublishedLengths(work: Database, previous: string) {
  let isOpen = false;
  const open = (): Database => {
    if (isOpen) return work;
    isOpen = true;
    using _previous = attachPrevious(work, previous);
    work.exec(`CREATE TEMP TABLE published_lengths AS
      SELECT id, ${LENGTH} AS length, ${BYTES} AS bytes, language FROM previous_quotes;
      CREATE UNIQUE INDEX temp.published_by_id ON published_lengths (id);
      CREATE INDEX temp.published_by_length ON published_lengths (length)`);
    return work;
  };
  const most = (high: number): number => Math.min(high, Number.MAX_SAFE_INTEGER);
  return {
    lengths: (
      language: string | null,
      low: number,
      high: number,
    ): { readonly length: number; readonly quotes: number }[] =>
      open().all(
        `SELECT length, count(*) AS quotes FROM published_lengths
          WHERE length BETWEEN ?2 AND ?3 AND language = coalesce(?1, language) AND ${UNSEEN}
          GROUP BY 1 ORDER BY 1`,
        ...[language, low, most(high)],
      ),
    keysBetween: (language: string | null, low: number, high: number): number[] =>
      open().column(
        `SELECT id FROM published_lengths WHERE length > ?2 AND length < ?3 AND bytes < ?3
          AND language = coalesce(?1, language) AND ${UNSEEN}`,
        ...[language, low, most(high)],
      ),
    languagesBetween: (low: number, high: number): string[] =>
      open().column(
        `SELECT DISTINCT language FROM published_lengths WHERE length BETWEEN ? AND ? AND ${UNSEEN}`,
        ...[low, most(high)],
      ),
    countNew: (ids: readonly number[]): number =>
      open().number(
        `SELECT count(*) AS n FROM json_each(?)
          WHERE value NOT IN (SELECT id FROM temp.published_lengths)`,
        JSON.stringify(ids),
      ),
    countUnseen: (): number =>
      open().number(`SELECT count(*) AS n FROM published_lengths WHERE ${UNSEEN}`),
  };
}
