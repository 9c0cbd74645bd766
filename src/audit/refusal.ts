/** What an audit with findings means for the site: it must not be published. */
import { PublishRefused } from "../contract/errors.ts";
import type { AuditReport } from "./audit.ts";
import { ADVICE, isWarning, lineOf } from "./finding.ts";

/** Why a site must not be published; undefined when nothing was found. */
export function refusalOf(report: AuditReport, outDir: string): PublishRefused | undefined {
  const first = report.findings.find(({ kind }) => !isWarning(kind));
  if (first === undefined) return undefined;
  const more = report.total > 1 ? `, and ${report.total - 1} more (npm run audit)` : "";
  return new PublishRefused(
    `Cannot publish ${outDir}: ${lineOf(first)}${more}; ${ADVICE[first.kind]}`,
  );
}
