/**
 * Workflow commands that GitHub shows as annotations of a run. In text from the service, a line end or `::` could begin another
 * command.
 *
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import { EXIT, adviceFor } from "../contract/errors.ts";
import type { HarvestLabel } from "../contract/facts.ts";
import { printable } from "../util/text.ts";
import { isOld, spentShares, type RunReport } from "./run-report.ts";

/** GitHub shows at most ten of each level for a step. */
const MAX_OF_A_KIND = 5;
const NEARLY_SPENT = 0.9;

/** Labels of harvests that may have missed quotes. */
const UNSURE: ReadonlySet<HarvestLabel> = new Set(["partial", "best-effort"]);

/** One line for each annotation. */
export function annotationsOf(report: RunReport): string[] {
  const { harvest, pictures, audit, failure, status } = report;
  const lines: string[] = [];
  const warn = (title: string, message: string): void => {
    lines.push(command("warning", title, message));
  };
  const level = status === EXIT.stopped ? "warning" : "error";
  if (failure !== null) {
    lines.push(command(level, `Exit ${status}`, `${failure}. ${adviceFor(status)}`));
  }
  for (const finding of audit?.findings.slice(0, MAX_OF_A_KIND) ?? []) {
    lines.push(command("error", "Audit", finding));
  }
  if (harvest !== null && failure === null && UNSURE.has(harvest.label)) {
    warn(`Harvest ${harvest.label}`, harvest.stopped ?? harvest.assumption ?? "");
  }
  for (const { offset, reason } of harvest?.unread.slice(0, MAX_OF_A_KIND) ?? []) {
    warn("Quarantined record", `at ${offset}: ${reason}`);
  }
  for (const [name, share] of spentShares(report)) {
    if (share >= NEARLY_SPENT) warn("Budget nearly spent", `${name}: ${Math.round(share * 100)} %`);
  }
  for (const { address, reason, detail } of pictures?.failures.slice(0, MAX_OF_A_KIND) ?? []) {
    warn("Picture failed", `${address}: ${reason}, ${detail}`);
  }
  if (isOld(report)) warn("Old data", `The quotes were read on ${report.dataAsOf}`);
  return lines;
}

/** Title and message become one line each, and are escaped as the runner's own toolkit does it. */
export function command(level: "warning" | "error", title: string, message: string): string {
  const escape = (text: string): string => printable(text).replaceAll("%", "%25");
  const name = escape(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${name}::${escape(message)}`;
}
