/** `npm run audit`: checks the finished site and prints the findings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PublishRefused, UsageError } from "../contract/errors.ts";
import { auditSite, withMore, type AuditOptions, type AuditReport } from "../audit/audit.ts";
import { ADVICE, isWarning, lineOf, type Finding } from "../audit/finding.ts";
import { setComplete } from "../render/written-files.ts";
import { settleReport } from "../report/build-json.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { describeAudit } from "./describe.ts";
import { expectedPages } from "./expected-pages.ts";
import type { ListedFiles } from "../files/walk.ts";
import { hostExcesses, madeSettings, presetOf } from "../hosts/fit.ts";
import { describeExcess } from "../plan/index.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { continueRun, reportRun, type RunRecord } from "./reporting/run-record.ts";
import { runStages, type Stage } from "./stages.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const { output, ci } = settings;
  const record = continueRun(madeSettings(settings), signal);
  let report: AuditReport | undefined;
  const files: Stage = {
    title: "Audit",
    run: async (showProgress) => {
      const how = { all: options.auditAll === true, signal };
      report = await auditOutput(record.settings, showProgress, how);
    },
  };
  const inBrowser: Stage = {
    title: "Browser",
    run: async (showProgress) => {
      if (report === undefined) return;
      // The browser is a development dependency; files can be audited without it.
      const { auditOutputInBrowser } = await import("./browser-audit.ts");
      report = withMore(report, await auditOutputInBrowser(record.settings, showProgress));
    },
  };
  const stages = options.browser === true ? [files, inBrowser] : [files];
  await runStages(stages, output.quiet, record.stages);
  if (report === undefined) throw new Error("an audit that ended gave no report");
  const refusal = settleAudit(record, report);
  // In CI the audit is the last step of a run, which writes the history.
  if (ci.annotations || ci.summaryFile !== null) await reportRun(record, refusal);
  return { text: describeAudit(report), result: report, refusal };
}

/** Writes the result of an audit into `build.json` and the record; returns why the site must not be published. */
export function settleAudit(
  { settings, parts }: RunRecord,
  audit: AuditReport,
): PublishRefused | undefined {
  const { outDir, stateDir } = settings;
  parts.audit = audit;
  const settled = settleReport(outDir, audit.total === 0 ? "passed" : "failed");
  if (settled !== null) parts.build = settled;
  const refusal = refusalOf(audit, outDir);
  if (refusal !== undefined) setComplete(stateDir, false);
  return refusal;
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

/**
 * Audits the output folder against the published snapshot, and searches the state folder for secrets as well.
 *
 * @throws {UsageError} when there is no site
 * @throws {NothingHarvested} when there is no snapshot
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
  const expected = expectedPages(reader, settings);
  const report = await auditSite({
    ...how,
    outDir,
    stateDir,
    origin: site.url,
    base: site.base,
    attribution: service.plan === "free" ? site.attribution.url : null,
    pages: expected.pages(),
    mayHave: expected.mayHave,
    menu: site.menu.flatMap((entry) =>
      typeof entry === "string" ? [] : entry.href.replace(/^\//, site.base),
    ),
    mayAsk: voteBaseUrl === null ? [] : [new URL(voteBaseUrl).origin],
    secrets,
    onProgress: (count) => showProgress(`${count} pages`),
  });
  return withHostLimits(report, settings, how.listed);
}

/** Adds a finding for each limit of the host that the finished site exceeds, before all others. */
function withHostLimits(
  report: AuditReport,
  settings: Settings,
  listed: ListedFiles | undefined,
): AuditReport {
  const page = presetOf(settings).title;
  const found = hostExcesses(settings, listed).map((one): Finding => ({
    kind: "host limit",
    page,
    detail: describeExcess(one),
  }));
  return withMore(report, found, "first");
}
