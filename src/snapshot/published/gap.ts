/** What a complete harvest did not see of the snapshot before it, told apart by whether it is still asked for. */
import type { Gap, MissingQuote } from "../../contract/missing.ts";
import type { Database } from "../../sqlite/database.ts";
import { quoted } from "./sql.ts";

/** Quotes that anyone would ask for one by one; beyond that, the counts alone matter. */
const MOST_LISTED = 20_000;

/** Whether a quote of the snapshot before is still asked for, from its language and tags. */
export type Asked = (language: string, tags: readonly string[]) => boolean;

/** @param previous path of the snapshot before */
export function gapTo(work: Database, previous: string, asked: Asked): Gap {
  work.exec(`ATTACH ${quoted(previous)} AS previous`);
  try {
    defineAsked(work, asked);
    return {
      missing: work.all<MissingQuote & object>(
        `SELECT id, language, coalesce(served ->> '$.quote', text) AS words ${UNSEEN}
           AND asked(language, tags) = 1 ORDER BY id LIMIT ${MOST_LISTED}`,
      ),
      languages: languagesOf(work),
      deselected:
        work.get<{ n: number }>(`SELECT count(*) AS n ${UNSEEN} AND asked(language, tags) = 0`)
          ?.n ?? 0,
    };
  } finally {
    work.exec("DETACH previous");
  }
}

/** Makes `asked(language, tags)` callable in SQL. */
export function defineAsked(work: Database, asked: Asked): void {
  work.define("asked", (language, tags) => {
    if (typeof language !== "string" || typeof tags !== "string") return 0;
    return asked(language, JSON.parse(tags) as string[]) ? 1 : 0;
  });
}

const UNSEEN = `FROM previous.quotes AS old
  WHERE NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id)`;

function languagesOf(work: Database): Gap["languages"] {
  const rows = work.all<{ language: string; before: number; missing: number }>(
    `SELECT language, count(*) AS before,
            sum(NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id)) AS missing
       FROM previous.quotes AS old WHERE asked(language, tags) = 1 GROUP BY language`,
  );
  return Object.fromEntries(
    rows.map(({ language, before, missing }) => [language, { before, missing }]),
  );
}
