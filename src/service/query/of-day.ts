/** The quote of the day: chosen at the first request of a day (UTC) and written down, so that it stays all day. */
import type { Database, Value } from "../../sqlite/database.ts";
import { fraction } from "../../contract/hash.ts";
import { QUOTE_COLUMNS, type QuoteRow } from "../store/held-quote.ts";

/**
 * @param day such as 2026-11-21
 * @param language empty for any
 * @returns undefined when no quote is fit; one that was reported or removed since is replaced
 */
export function chooseOfDay(
  database: Database,
  day: string,
  curated: boolean,
  language: string,
): QuoteRow | undefined {
  const chosen = database.get<QuoteRow>(
    `SELECT ${QUOTE_COLUMNS} FROM days d CROSS JOIN quotes q ON q.pk = d.pk
     WHERE d.day = ? AND d.curated = ? AND d.language = ?`,
    day,
    Number(curated),
    language,
  );
  if (chosen !== undefined) return chosen;
  const conditions = [
    ...(curated ? ["q.curated = 1"] : []),
    ...(language === "" ? [] : ["q.language = ?"]),
  ];
  const where = conditions.join(" AND ") || "true";
  const bound: Value[] = language === "" ? [] : [language];
  const fit =
    database.get<{ n: number }>(`SELECT count(*) AS n FROM quotes q WHERE ${where}`, ...bound)?.n ??
    0;
  if (fit === 0) return undefined;
  const rank = Math.floor(fraction(`${day} ${curated} ${language}`) * fit);
  const quote = database.get<QuoteRow>(
    `SELECT ${QUOTE_COLUMNS} FROM quotes q WHERE ${where} ORDER BY q.pk LIMIT 1 OFFSET ?`,
    ...bound,
    rank,
  );
  if (quote === undefined) return undefined;
  database.run("DELETE FROM days WHERE day <> ?", day);
  database.run(
    "INSERT OR REPLACE INTO days(day, curated, language, pk) VALUES (?, ?, ?, ?)",
    day,
    Number(curated),
    language,
    quote.pk,
  );
  return quote;
}
