/** The audit of the output folder: what it must have comes from the published snapshot and the settings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { auditSite, withMore, type AuditOptions, type AuditReport } from "../audit/audit.ts";
import type { Finding } from "../audit/finding.ts";
import { type PublishRefused, UsageError } from "../contract/errors.ts";
import type { ListedFiles } from "../files/walk.ts";
import { hostExcesses, presetOf } from "../hosts/fit.ts";
import { localeOf } from "../i18n/locale.ts";
import { describeExcess } from "../plan/index.ts";
import type { Settings } from "../settings/settings.ts";
import { attributionIn, openSiteAs } from "../site/index.ts";
import { requirePublished } from "../snapshot/index.ts";
import { expectedPages } from "./expected-pages.ts";
import { OutputFolder } from "./output-folder.ts";
import type { ShowProgress } from "./progress.ts";
import type { RunRecord } from "./reporting/run-record.ts";

/** Writes the result of an audit into `build.json` and the record; returns why the site must not be published. */
export function settleAudit(
  { settings, made }: RunRecord,
  audit: AuditReport,
): PublishRefused | undefined {
  made.audit = audit;
  const { report, refusal } = new OutputFolder(settings).settle(audit);
  if (report !== null) made.report = report;
  return refusal;
}

/** The pages of a listed site; null where it is not listed. */
const pagesOf = (listed: AuditOptions["listed"]): number | null =>
  listed === undefined
    ? null
    : Iterator.from(listed.keys())
        .filter((file) => file.endsWith(".html"))
        .toArray().length;

/**
 * Audits the output folder against the published snapshot, and searches the state folder for secrets as well.
 *
 * @throws {UsageError} when there is no site
 * @throws {NothingHarvested} when there is no snapshot
 * @throws the reason of `signal`
 */
export async function auditOutput(
  settings: Settings,
  showProgress: ShowProgress,
  how: Pick<AuditOptions, "all" | "listed" | "signal"> = {},
): Promise<AuditReport> {
  const { outDir, stateDir, site, voteBaseUrl, secrets } = settings;
  if (!existsSync(join(outDir, "index.html"))) {
    throw new UsageError(`Cannot audit ${outDir}: no site is there; run "npm run build" first`);
  }
  const of = pagesOf(how.listed);
  using reader = openSiteAs(settings);
  const expected = expectedPages(reader, settings);
  const report = await auditSite({
    ...how,
    outDir,
    stateDir,
    origin: site.url,
    base: site.base,
    attribution: attributionIn(localeOf(site.language, "en"), settings)?.href ?? null,
    pages: expected.pages(),
    mayHave: expected.mayHave,
    menu: site.menu.flatMap((entry) =>
      typeof entry === "string" ? [] : entry.href.replace(/^\//, site.base),
    ),
    mayAsk: voteBaseUrl === null ? [] : [new URL(voteBaseUrl).origin],
    service: serviceOf(stateDir),
    allow: site.allow,
    secrets,
    onProgress: (done) => showProgress({ done, of, what: "pages" }),
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

function serviceOf(stateDir: string): string | null {
  using snapshot = requirePublished(stateDir);
  return snapshot.fact("source")?.origin ?? null;
}
