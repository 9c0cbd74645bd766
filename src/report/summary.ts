/** A run in Markdown, for the summary of a CI run and for `report.md` in the state. */
import { adviceFor } from "../contract/errors.ts";
import { counted, printable } from "../util/text.ts";
import { durationOf, isOld, type HistoryEntry, type RunReport } from "./run-report.ts";

/** Builds in the drawings of the history. */
const BUILDS = 60;

/** Listed items of each kind. */
const NAMED = 20;

/** @param history the builds before this one, oldest first */
export function summaryOf(report: RunReport, history: readonly HistoryEntry[] = []): string {
  const { failure, harvest, merged, pictures, audit } = report;
  const unread = (harvest?.unread ?? []).map(
    ({ offset, reason }) => `at ${offset}: ${plain(reason)}`,
  );
  const spellings = (merged?.first ?? []).map(
    ({ kind, name, others }) =>
      `${kind} **${plain(name, 80)}**: ${others.map((other) => plain(other, 80)).join(" · ")}`,
  );
  const failures = (pictures?.failures ?? []).map(
    ({ address, reason, detail }) => `${plain(address)}: ${plain(reason)}, ${plain(detail)}`,
  );
  const remarks = [...report.notes, ...(harvest?.remarks ?? [])].map((remark) => plain(remark));
  const findings = (audit?.findings ?? []).map((finding) => plain(finding));
  const parts = [
    `## ${headline(report)}`,
    failure === null ? "" : `**${plain(failure)}** ${adviceFor(report.status)}`,
    table("Harvest", harvestRows(report)),
    table("Site", siteRows(report)),
    list("Records that could not be read", unread, harvest?.quarantined),
    list("Remarks", remarks),
    list("Spellings that are one name", spellings, merged?.total),
    list("Pictures that failed", failures, pictures?.failed),
    list("Findings of the audit", findings, audit?.total),
    table("Time", timeRows(report)),
    table("The last builds", historyRows(history.slice(-BUILDS))),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function headline(report: RunReport): string {
  const { failure, quotes, harvest, dataAsOf } = report;
  if (failure !== null) return `The run ended with status ${report.status}`;
  const { added = 0, changed = 0, removed = 0 } = harvest?.change ?? {};
  const news = harvest === null ? "" : `: ${added} new, ${changed} changed, ${removed} removed`;
  const old = isOld(report) ? `; old data, read ${dataAsOf}` : "";
  return `${counted(quotes ?? 0, "quote", count)}${news}${old}`;
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return [`| ${title} | |`, "| --- | --- |", ...lines].join("\n");
}

/** @param total number of all items, where `items` has only the first */
function list(title: string, items: readonly string[], total = items.length): string {
  if (items.length === 0) return "";
  const shown = items.slice(0, NAMED).map((item) => `- ${item}`);
  const left = Math.max(total, items.length) - shown.length;
  if (left > 0) shown.push(`- … and ${left} more`);
  return [`### ${title} (${Math.max(total, items.length)})`, "", ...shown].join("\n");
}

/** A name and a value in Markdown. */
type Row = readonly [name: string, value: string];

const count = (number: number): string => number.toLocaleString("en");
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const ofAllowed = (
  used: number,
  most: number | null,
  format: (number: number) => string,
): string => (most === null ? format(used) : `${format(used)} of ${format(most)} allowed`);
const three = (change: { added: number; changed: number; removed: number }): string =>
  `${count(change.added)} new, ${count(change.changed)} changed, ${count(change.removed)} removed`;

function harvestRows({ harvest, budget, quotes, dataAsOf }: RunReport): Row[] {
  if (harvest === null) return [];
  const quota = harvest.quota?.limit ?? null;
  const left = `about ${count(Math.max(0, (quota ?? 0) - harvest.calls))} of a quota of ${count(quota ?? 0)}`;
  const waited = `${count(harvest.waits)}, ${seconds(harvest.waitedMs)} of ${seconds(budget.waitMs)} allowed`;
  const rows: Row[] = [
    ["Label", harvest.label],
    ["Holds if", plain(harvest.assumption ?? "")],
    ["Quotes", quotes === null ? "" : `${count(quotes)}: ${three(harvest.change)}`],
    ["Read", dataAsOf ?? ""],
    ["Calls", ofAllowed(harvest.calls, budget.calls, count)],
    ["Calls left", quota === null ? "" : left],
    ["Waits", harvest.waits === 0 ? "none" : waited],
    ["Calls repeated", count(harvest.retries)],
    ["Gaps repaired", count(harvest.repaired)],
    ["Records not read", count(harvest.quarantined)],
    ["Stopped", plain(harvest.stopped ?? "")],
  ];
  return rows.filter(([, value]) => value !== "");
}

function siteRows({ build, pictures, audit, budget }: RunReport): Row[] {
  const rows: Row[] = [];
  if (build !== null) {
    const { pages, copies, changes, files, bytes } = build;
    if (copies > 0)
      rows.push(["Copies", `${count(copies)}, each shown with the quote that says the same`]);
    rows.push(["Pages", count(sum(pages))], ["Addresses", three(changes)]);
    rows.push(["Files", ofAllowed(files, budget.files, count)]);
    rows.push(["Bytes", ofAllowed(bytes, budget.bytes, megabytes)]);
  }
  if (pictures !== null) {
    const { made, reused, failed } = pictures;
    const parts = `${count(made)} made, ${count(reused)} reused, ${count(failed)} failed`;
    rows.push(["Pictures", parts]);
  }
  if (audit !== null) {
    const found = audit.total === 0 ? "nothing found" : counted(audit.total, "finding", count);
    rows.push(["Audit", `${counted(audit.pages, "page", count)}, ${found}`]);
  }
  return rows;
}

function timeRows({ stages }: RunReport): Row[] {
  const rows = Object.entries(stages).map(([title, ms]): Row => [title, seconds(ms)]);
  return rows.length < 2 ? rows : [...rows, ["In all", seconds(sum(stages))]];
}

/** A row of bars for each figure, and for the longest stages of the last build: GitHub shows no drawing in a summary. */
function historyRows(builds: readonly HistoryEntry[]): Row[] {
  if (builds.length < 2) return [];
  const bars = (of: (build: HistoryEntry) => number | null): string => sparkline(builds.map(of));
  const last = Object.entries(builds.at(-1)?.stages ?? {});
  const slowest = last
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([stage]) => stage);
  const marks = builds.map(({ status, label, waitedMs }) =>
    status !== 0 ? "✗" : label === "partial" ? "◐" : (waitedMs ?? 0) > 0 ? "…" : "·",
  );
  return [
    ["Quotes", bars(({ quotes }) => quotes)],
    ["New", bars(({ change }) => change && change.added)],
    ["Gone", bars(({ change }) => change && change.removed)],
    ["Calls", bars(({ calls }) => calls)],
    ["Minutes", bars(durationOf)],
    ...slowest.map((stage): Row => [
      `Minutes: ${plain(stage)}`,
      bars(({ stages }) => stages[stage] ?? null),
    ]),
    ["✗ failed, ◐ partial, … waited", marks.join("")],
  ];
}

const BARS = "▁▂▃▄▅▆▇█";

/** A bar for each number between the least and the largest; a blank of the same width where there is none. */
function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const place = (value: number): number =>
    most === least ? 3 : Math.round(((value - least) / (most - least)) * (BARS.length - 1));
  return values.map((value) => (value === null ? "\u2007" : BARS.charAt(place(value)))).join("");
}

const sum = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((all, one) => all + one, 0);

/** Characters with a meaning in CommonMark or in GitHub's tables, formulas, emoji and automatic links. */
const SPECIAL = /[\\`*_[\]<>#|~@:&!$.]|^[-+=]/g;

/** Escapes text of the service for paragraphs, list items and table cells. */
function plain(text: string, most?: number): string {
  return printable(text, most).replace(SPECIAL, "\\$&");
}
