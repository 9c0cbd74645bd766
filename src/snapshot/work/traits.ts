/** What runs have learned about a host, under names; plain JSON. */
import type { Database } from "../../sqlite/database.ts";

/** @returns null for nothing */
export function readTrait<Value extends object>(
  database: Database,
  host: string,
  name: string,
): Value | null {
  const sql = "SELECT value FROM traits WHERE host = ? AND name = ?";
  const row = database.get<{ value: string }>(sql, host, name);
  return row === undefined ? null : (JSON.parse(row.value) as Value);
}

/** @param value null to forget it */
export function saveTrait(
  database: Database,
  host: string,
  name: string,
  value: object | null,
): void {
  if (value === null) {
    database.run("DELETE FROM traits WHERE host = ? AND name = ?", host, name);
    return;
  }
  const sql = "INSERT OR REPLACE INTO traits VALUES (?, ?, ?)";
  database.run(sql, host, name, JSON.stringify(value));
}
