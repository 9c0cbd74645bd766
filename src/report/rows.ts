/** The figures of a night as rows of a name and a value in Markdown; what is not known has no row. */
import { plain } from "./escape.ts";
import type { NightReport } from "./night-report.ts";

export type Row = readonly [name: string, value: string];

const count = (number: number): string => number.toLocaleString("en");
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const ofAllowed = (used: number, most: number | null, say: (number: number) => string): string =>
  most === null ? say(used) : `${say(used)} of ${say(most)} allowed`;
const three = (change: { added: number; changed: number; removed: number }): string =>
  `${count(change.added)} new, ${count(change.changed)} changed, ${count(change.removed)} removed`;

export function harvestRows({ harvest, budget, quotes, dataAsOf }: NightReport): Row[] {
  if (harvest === null) return [];
  const quota = harvest.quota?.limit ?? null;
  const calls = count(harvest.calls);
  return [
    ["Label", harvest.label],
    ["Holds if", plain(harvest.assumption)],
    ["Quotes", quotes === null ? "" : `${count(quotes)}: ${three(harvest.change)}`],
    ["Read", dataAsOf ?? ""],
    ["Calls", budget.calls === null ? calls : `${calls} of ${count(budget.calls)} allowed`],
    [
      "Calls left",
      quota === null
        ? ""
        : `about ${count(Math.max(0, quota - harvest.calls))} of a quota of ${count(quota)}`,
    ],
    [
      "Waits",
      harvest.waits === 0
        ? "none"
        : `${count(harvest.waits)}, ${seconds(harvest.waitedMs)} of ${seconds(budget.waitMs)} allowed`,
    ],
    ["Calls repeated", count(harvest.retries)],
    ["Gaps repaired", count(harvest.repaired)],
    ["Records not read", count(harvest.quarantined)],
    ["Stopped", plain(harvest.stopped ?? "")],
  ].filter((row): row is [string, string] => row[1] !== "");
}

export function siteRows({ build, pictures, audit, budget }: NightReport): Row[] {
  const rows: Row[] = [];
  if (build !== null) {
    const pages = Object.values(build.pages).reduce((sum, number) => sum + number, 0);
    rows.push(["Pages", count(pages)], ["Addresses", three(build.changes)]);
    rows.push(["Files", ofAllowed(build.files, budget.files, count)]);
    rows.push(["Bytes", ofAllowed(build.bytes, budget.bytes, megabytes)]);
  }
  if (pictures !== null) {
    const { made, reused, failed } = pictures;
    rows.push([
      "Pictures",
      `${count(made)} made, ${count(reused)} reused, ${count(failed)} failed`,
    ]);
  }
  if (audit !== null) {
    rows.push([
      "Audit",
      `${count(audit.pages)} pages, ${audit.total === 0 ? "nothing found" : `${count(audit.total)} findings`}`,
    ]);
  }
  return rows;
}

export function nightRows({ stages }: NightReport): Row[] {
  const rows = Object.entries(stages).map(([title, ms]): Row => [title, seconds(ms)]);
  if (rows.length < 2) return rows;
  const all = Object.values(stages).reduce((sum, ms) => sum + ms, 0);
  return [...rows, ["In all", seconds(all)]];
}
