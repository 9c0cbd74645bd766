/** A build and a night that went well, for tests to change what they are about. */
import type { HistoryEntry, RunReport } from "../../src/report/run-report.ts";

/** @param day from 0; the build of that night */
export function build(day: number, changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    at: new Date(Date.UTC(2026, 0, 1 + day, 3)).toISOString(),
    ...{ status: 0, snapshot: `s${day}`, label: "complete:proved", quotes: 100 + day },
    ...{ calls: 12, waitedMs: 0, retries: 0, quarantined: 0 },
    change: { added: 1, changed: 2, removed: 0 },
    pages: { added: 1, changed: 2, removed: 0 },
    pictures: { made: 1, reused: 2, failed: 0 },
    ...{ files: 300, bytes: 4_000_000, findings: 0 },
    stages: { Harvest: 1_000, Render: 500 },
    ...changes,
  };
}

/** @param changes of the harvest go over a harvest that was proved complete */
export function night(
  changes: Partial<RunReport> = {},
  harvest: Partial<NonNullable<RunReport["harvest"]>> = {},
): RunReport {
  return {
    at: "2026-11-21T03:20:00.000Z",
    status: 0,
    failure: null,
    snapshot: "s1",
    harvest: {
      ...{ label: "complete:proved", assumption: "nothing changed" },
      ...{ started: "2026-11-21T03:17:00.000Z", finished: "2026-11-21T03:19:00.000Z" },
      ...{ requests: 40, waits: 1, waitedMs: 2_500, retries: 2, calls: 40 },
      ...{ duplicates: 3, repaired: 1, removed: 0, quarantined: 0 },
      change: { added: 3, changed: 2, removed: 1, deselected: 0 },
      quota: { limit: 500, periodMs: null, from: "headers", at: 0 },
      ...{ stopped: null, unread: [], remarks: [] },
      ...harvest,
    },
    quotes: 1_234,
    dataAsOf: "2026-11-21T03:19:00.000Z",
    staleAfterDays: 7,
    merged: null,
    notes: [],
    pictures: null,
    build: null,
    audit: null,
    budget: { calls: 100, waitMs: 1_800_000, files: 20_000, bytes: null },
    stages: { Harvest: 120_000, Render: 3_000 },
    ...changes,
  };
}

/** What upstream might say to leave its place: Markdown, HTML, workflow commands, terminal and bidi controls. */
export const HOSTILE = [
  "::error::pwned",
  "x\n::set-output name=a::b",
  "x\r::warning::y",
  "##[error]pwned",
  "\u001b[31mred\u001b]0;title\u0007",
  "<img src=x onerror=alert(1)>",
  "</td></tr></table><script>alert(1)</script>",
  "| a | b |\n| --- | --- |",
  "[click](https://evil.example) ![x](https://evil.example/p.png)",
  "https://evil.example/ www.evil.example @someone #1 :tada: $x$ `code` ~~no~~",
  "\u202Egnp.exe\u2066",
  "%0A::error::pwned",
] as const;
