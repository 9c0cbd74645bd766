/**
 * Workflow commands that a CI system shows as annotations of a run.
 *
 * They hold text from the service, in which a line end or a `::` would begin another command.
 *
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import { EXIT, adviceFor } from "../../contract/errors.ts";
import type { HarvestLabel } from "../../contract/results.ts";
import { printable } from "../../contract/text.ts";
import { isOld, spentShares, type RunReport } from "./run-report.ts";

/** GitHub shows no more than ten of a kind for a step. */
const MOST_OF_A_KIND = 5;
const NEARLY_SPENT = 0.9;

/** Labels of harvests that may have missed quotes. */
const UNSURE: ReadonlySet<HarvestLabel> = new Set(["partial", "best-effort"]);

type Level = "notice" | "warning" | "error";

/** One line each, ready to be printed. */
export function annotationsOf(report: RunReport): string[] {
  const { harvest, pictures, audit, failure, status } = report;
  const lines: string[] = [];
  const add = (level: Level, title: string, message: string): void => {
    lines.push(command(level, title, message));
  };
  const level = status === EXIT.stopped ? "warning" : "error";
  if (failure !== null) add(level, `Exit ${status}`, `${failure}. ${adviceFor(status)}`);
  for (const finding of (audit?.findings ?? []).slice(0, MOST_OF_A_KIND)) {
    add("error", "Audit", finding);
  }
  if (harvest !== null) {
    if (failure === null && UNSURE.has(harvest.label)) {
      add("warning", `Harvest ${harvest.label}`, harvest.stopped ?? harvest.assumption);
    }
    for (const { offset, reason } of harvest.unread.slice(0, MOST_OF_A_KIND)) {
      add("warning", "Quarantined record", `at ${offset}: ${reason}`);
    }
  }
  for (const [name, share] of spentShares(report)) {
    if (share >= NEARLY_SPENT) add("warning", "Budget nearly spent", `${name}: ${percent(share)}`);
  }
  for (const { address, reason, detail } of (pictures?.failures ?? []).slice(0, MOST_OF_A_KIND)) {
    add("warning", "Picture failed", `${address}: ${reason}, ${detail}`);
  }
  if (isOld(report)) add("warning", "Old data", `The quotes were read on ${report.dataAsOf}`);
  return lines;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** @param message cut to a line, and escaped as data of a command */
export function command(level: Level, title: string, message: string): string {
  return `::${level} title=${escapeProperty(printable(title))}::${escapeData(printable(message))}`;
}

/** As the runner's own toolkit does. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
