/** `npm run audit`: reads the finished site and says what is wrong with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { EXIT, PublishRefused, UsageError } from "../contract/errors.ts";
import { REPORT_FILE } from "../files/ownership.ts";
import { auditSite, withMore, type AuditReport } from "../audit/audit.ts";
import { ADVICE, isWarning, lineOf } from "../audit/finding.ts";
import { readReport, settleReport, type BuildReport } from "../report/report.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { describeAudit } from "./auditing/describe.ts";
import { expectedPages } from "./auditing/pages.ts";
import { madeSettings, withHostLimits } from "./host/limits.ts";
import { snapshotIn } from "./run-record/collect-report.ts";
import { RunRecord } from "./run-record/run-record.ts";
import { reportRun } from "./run-record/report-run.ts";
import type { Program } from "./program.ts";
import { runStages } from "./stages.ts";

export { describeAudit } from "./auditing/describe.ts";

export const auditProgram: Program = {
  async run({ settings, options }) {
    const made = madeSettings(settings);
    let report: AuditReport | undefined;
    const stage = {
      title: "Audit",
      run: async (say: (line: string) => void) => {
        report = await auditOutput(made, say, options.auditAll === true);
      },
    };
    const inBrowser = {
      title: "Browser",
      skip: () => options.browser !== true,
      run: async (say: (line: string) => void) => {
        if (report === undefined) return;
        // The browser is a development dependency: an installation without them can still audit files.
        const { auditOutputInBrowser } = await import("./browser-audit/browser-audit.ts");
        report = withMore(report, await auditOutputInBrowser(made, say));
      },
    };
    const record = RunRecord.of(settings.stateDir, snapshotIn(settings.stateDir));
    await runStages([record.timed(stage), inBrowser], settings.output.quiet);
    if (report === undefined) throw new Error("an audit that ended gave no report");
    const settled = settleAudit(settings.outDir, report);
    await reportAudit(settings, record, report, settled);
    const exitStatus = report.total > 0 ? EXIT.refused : EXIT.done;
    return { text: describeAudit(report), result: report, exitStatus };
  },
};

/**
 * Writes into `build.json` how the audit ended, where nothing was known of it.
 *
 * @returns what it says now; null where there is none
 */
export function settleAudit(outDir: string, { total }: AuditReport): BuildReport | null {
  // One that was put aside by a build that did not end is of another site.
  const report = existsSync(join(outDir, REPORT_FILE)) ? readReport(outDir) : null;
  if (report === null || report.audit === (total === 0 ? "passed" : "failed")) return report;
  return settleReport(outDir, report, total === 0 ? "passed" : "failed");
}

/** In CI the audit is the last step and writes the history; anywhere else it only reports. */
async function reportAudit(
  settings: Settings,
  record: RunRecord,
  report: AuditReport,
  settled: BuildReport | null,
): Promise<void> {
  if (!settings.ci.annotations && settings.ci.summaryFile === null) return;
  record.parts.audit = report;
  if (settled !== null) record.parts.build = settled;
  const failure = refusalOf(report, settings.outDir);
  await reportRun(settings, record, { ended: true, ...(failure === undefined ? {} : { failure }) });
}

/**
 * Audits the output folder against the published snapshot, and searches the state folder for secrets as well.
 *
 * @param all reads what passed an earlier audit as well
 * @throws {UsageError} when there is no site or no snapshot
 * @throws {DiskError} when the folder cannot be read
 */
export async function auditOutput(
  settings: Settings,
  say: (line: string) => void,
  all = false,
): Promise<AuditReport> {
  const { outDir, stateDir, site, service, voteBaseUrl, secrets } = settings;
  if (!existsSync(join(outDir, "index.html"))) {
    throw new UsageError(`Cannot audit ${outDir}: no site is there; npm run build first`);
  }
  const reader = openSiteAs(settings);
  try {
    const { pages, mayHave } = expectedPages(reader, settings);
    const report = await auditSite({
      outDir,
      origin: site.url,
      base: site.base,
      attribution: service.plan === "free" ? site.attribution.url : null,
      pages: pages(),
      mayHave,
      mayAsk: voteBaseUrl === null ? [] : [new URL(voteBaseUrl).origin],
      secrets,
      alsoSearch: [stateDir],
      stateDir,
      all,
      say: (count) => say(`${count} pages`),
    });
    return withHostLimits(report, settings);
  } finally {
    reader.close();
  }
}

/** Why a site must not be published; undefined when nothing was found. */
export function refusalOf(report: AuditReport, outDir: string): PublishRefused | undefined {
  const first = report.findings.find(({ kind }) => !isWarning(kind));
  if (first === undefined) return undefined;
  const more = report.total > 1 ? `, and ${report.total - 1} more (npm run audit)` : "";
  return new PublishRefused(
    `Cannot publish ${outDir}: ${lineOf(first)}${more}; ${ADVICE[first.kind]}`,
  );
}
