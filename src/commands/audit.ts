/** `npm run audit`: reads the finished site and says what is wrong with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PublishRefused, UsageError } from "../contract/errors.ts";
import { auditSite, withMore, type AuditOptions, type AuditReport } from "../audit/audit.ts";
import { ADVICE, isWarning, lineOf } from "../audit/finding.ts";
import { setComplete } from "../render/written-files.ts";
import { settleReport } from "../report/build-json.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { describeAudit } from "./describe.ts";
import { expectedPages } from "./expected-pages.ts";
import { madeSettings, withHostLimits } from "./host-limits.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { reportRun } from "./reporting/report-run.ts";
import { RunRecord } from "./reporting/run-record.ts";
import { runStages, type Stage } from "./stages.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const { outDir, stateDir, output, ci } = settings;
  const made = madeSettings(settings);
  const record = RunRecord.continued(stateDir);
  let report: AuditReport | undefined;
  const files: Stage = {
    title: "Audit",
    run: async (showProgress) => {
      report = await auditOutput(made, showProgress, { all: options.auditAll === true, signal });
    },
  };
  const inBrowser: Stage = {
    title: "Browser",
    run: async (showProgress) => {
      if (report === undefined) return;
      // The browser is a development dependency: an installation without them can still audit files.
      const { auditOutputInBrowser } = await import("./browser-audit/browser-audit.ts");
      report = withMore(report, await auditOutputInBrowser(made, showProgress));
    },
  };
  const stages = options.browser === true ? [files, inBrowser] : [files];
  await runStages(stages, output.quiet, record.stages);
  if (report === undefined) throw new Error("an audit that ended gave no report");
  const settled = settleReport(outDir, report.total === 0 ? "passed" : "failed");
  if (report.total > 0) setComplete(stateDir, false);
  const refusal = refusalOf(report, outDir);
  // In CI the audit is the last step and writes the history; anywhere else it only reports.
  if (ci.annotations || ci.summaryFile !== null) {
    record.parts.audit = report;
    if (settled !== null) record.parts.build = settled;
    await reportRun(settings, record, refusal);
  }
  return { text: describeAudit(report), result: report, refusal };
}

/**
 * Audits the output folder against the published snapshot, and searches the state folder for secrets as well.
 *
 * @throws {UsageError} when there is no site or no snapshot
 * @throws {DiskError} when the folder cannot be read
 * @throws the reason of `signal`
 */
export async function auditOutput(
  settings: Settings,
  showProgress: (line: string) => void,
  how: Pick<AuditOptions, "all" | "listed" | "signal"> = {},
): Promise<AuditReport> {
  const { outDir, stateDir, site, service, voteBaseUrl, secrets } = settings;
  if (!existsSync(join(outDir, "index.html"))) {
    throw new UsageError(`Cannot audit ${outDir}: no site is there; run "npm run build" first`);
  }
  using reader = openSiteAs(settings);
  const { pages, mayHave } = expectedPages(reader, settings);
  const report = await auditSite({
    ...how,
    outDir,
    stateDir,
    origin: site.url,
    base: site.base,
    attribution: service.plan === "free" ? site.attribution.url : null,
    pages: pages(),
    mayHave,
    mayAsk: voteBaseUrl === null ? [] : [new URL(voteBaseUrl).origin],
    secrets,
    onProgress: (count) => showProgress(`${count} pages`),
  });
  return withHostLimits(report, settings, how.listed);
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
