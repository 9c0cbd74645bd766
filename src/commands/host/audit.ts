/** The finished site against the limits of its host: real files and bytes. */
import { excesses, sayExcess } from "../../plan/index.ts";
import type { AuditReport } from "../../audit/audit.ts";
import type { Finding } from "../../audit/finding.ts";
import { measureSite } from "../../hosts/measure.ts";
import type { Settings } from "../../settings/settings.ts";
import { presetOf } from "./fitted.ts";

const KIND = "host limit";

/**
 * Adds to a report what the host would not take, in front of all else.
 *
 * @throws {DiskError} when the folder cannot be read
 */
export function withHostLimits(report: AuditReport, settings: Settings): AuditReport {
  const { title, limits } = presetOf(settings);
  if (Object.values(limits).every((limit) => limit === null)) return report;
  const found = excesses(measureSite(settings.outDir), limits).map((excess): Finding => ({
    kind: KIND,
    page: title,
    detail: sayExcess(excess),
  }));
  if (found.length === 0) return report;
  return {
    ...report,
    total: report.total + found.length,
    counts: { [KIND]: found.length, ...report.counts },
    findings: [...found, ...report.findings],
  };
}
