/** What quotes had in the snapshot before and lack in what was read since: a field that was renamed looks like that. */
import type { Emptied } from "../../contract/missing.ts";
import { UNDETERMINED } from "../../contract/languages.ts";
import type { Database } from "../../sqlite/database.ts";
import { quoted } from "./sql.ts";

/** By field, whether a row has something in it. */
const FILLED: Readonly<Record<string, string>> = {
  author: "author IS NOT NULL",
  tags: "tags <> '[]'",
  language: `language <> '${UNDETERMINED}'`,
  likes: "likes <> 0",
};

/** @param previous path of the snapshot before */
export function emptiedSince(work: Database, previous: string): Emptied[] {
  work.exec(`ATTACH ${quoted(previous)} AS previous`);
  try {
    return Object.entries(FILLED).map(([field, filled]) => {
      const [old, now] = ["old", "new"].map((row) => `${row}.${filled}`);
      const counts = work.get<{ had: number; lost: number }>(
        `SELECT count(*) AS had, coalesce(sum(NOT (${now ?? ""})), 0) AS lost
           FROM previous.quotes AS old JOIN main.quotes AS new USING (id) WHERE ${old ?? ""}`,
      );
      return { field, had: counts?.had ?? 0, lost: counts?.lost ?? 0 };
    });
  } finally {
    work.exec("DETACH previous");
  }
}
