/** The night in Markdown, for the summary of a CI run and for `report.md` in the state: the shortest answer first. */
import { adviceFor } from "../contract/next-step.ts";
import { plain } from "./escape.ts";
import { isOld, type NightReport } from "./night-report.ts";
import { harvestRows, nightRows, siteRows, type Row } from "./rows.ts";

/** Things named one by one. */
const NAMED = 20;

export function summaryOf(report: NightReport): string {
  return [
    `## ${headline(report)}`,
    ...(report.failure === null
      ? []
      : [`**${plain(report.failure)}** ${adviceFor(report.status)}`]),
    table("Harvest", harvestRows(report)),
    table("Site", siteRows(report)),
    list(
      "Records that could not be read",
      (report.harvest?.unread ?? []).map(({ offset, reason }) => `at ${offset}: ${plain(reason)}`),
      report.harvest?.quarantined,
    ),
    list(
      "Remarks",
      (report.harvest?.remarks ?? []).map((remark) => plain(remark)),
    ),
    list(
      "Spellings that are one name",
      (report.merged?.first ?? []).map(
        ({ kind, name, others }) =>
          `${kind} **${plain(name, 80)}**: ${others.map((other) => plain(other, 80)).join(" · ")}`,
      ),
      report.merged?.total,
    ),
    list(
      "Pictures that failed",
      (report.pictures?.failures ?? []).map(
        ({ address, reason, detail }) => `${plain(address)}: ${plain(reason)}, ${plain(detail)}`,
      ),
      report.pictures?.failed,
    ),
    list(
      "Findings of the audit",
      (report.audit?.findings ?? []).map((finding) => plain(finding)),
      report.audit?.total,
    ),
    table("Time", nightRows(report)),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function headline(report: NightReport): string {
  const { failure, quotes, harvest, dataAsOf } = report;
  if (failure !== null) return `The night ended with status ${report.status}`;
  const { added = 0, changed = 0, removed = 0 } = harvest?.change ?? {};
  const news = harvest === null ? "" : `: ${added} new, ${changed} changed, ${removed} removed`;
  const old = isOld(report) ? `; old data, read ${dataAsOf}` : "";
  return `${(quotes ?? 0).toLocaleString("en")} quotes${news}${old}`;
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return [`| ${title} | |`, "| --- | --- |", ...lines].join("\n");
}

/** @param total how many there are in all, where only the first are known */
function list(title: string, items: readonly string[], total = items.length): string {
  if (items.length === 0) return "";
  const shown = items.slice(0, NAMED).map((item) => `- ${item}`);
  const left = Math.max(total, items.length) - shown.length;
  if (left > 0) shown.push(`- … and ${left} more`);
  return [`### ${title} (${Math.max(total, items.length)})`, "", ...shown].join("\n");
}
