/** `npm run audit`: reads the finished site and says what is wrong with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT, PublishRefused, UsageError } from "../contract/errors.ts";
import { fileOf, initialPath, listingPath, quotePath } from "../plan/paths.ts";
import { auditSite, type AuditReport } from "../release/audit/audit.ts";
import { lineOf } from "../release/audit/finding.ts";
import type { PageToAudit } from "../release/audit/threads/messages.ts";
import type { Settings } from "../settings/settings.ts";
import { COMMON_OPTIONS } from "../settings/tables.ts";
import { openSiteAs } from "../site/open-site.ts";
import type { SiteReader } from "../site/reader.ts";
import { snapshotIn } from "./night/collect.ts";
import { Night } from "./night/night.ts";
import { tell } from "./night/tell.ts";
import type { Program } from "./program.ts";
import { readRoutes, type Routes } from "./routes.ts";
import { runStages } from "./stages.ts";

const ROUTES = fileURLToPath(new URL("../pages", import.meta.url));

export const auditProgram: Program = {
  name: "audit",
  summary: "Reads the finished site and says what is wrong with it.",
  options: COMMON_OPTIONS,
  async run({ settings }) {
    let report: AuditReport | undefined;
    const stage = {
      title: "Audit",
      run: async (say: (line: string) => void) => {
        report = await auditOutput(settings, say);
      },
    };
    const night = Night.of(settings.stateDir, snapshotIn(settings.stateDir));
    await runStages([night.timed(stage)], settings.output.quiet);
    if (report === undefined) throw new Error("an audit that ended gave no report");
    await tellAudit(settings, night, report);
    const exitStatus = report.total > 0 ? EXIT.refused : EXIT.done;
    return { text: describeAudit(report), result: report, exitStatus };
  },
};

/** In a CI run an audit ends the night; anywhere else it only looks, and nobody's history is its business. */
async function tellAudit(settings: Settings, night: Night, report: AuditReport): Promise<void> {
  if (!settings.ci.annotations && settings.ci.summaryFile === null) return;
  night.parts.audit = report;
  try {
    refuseIfFound(report, settings.outDir);
    await tell(settings, night, { ended: true });
  } catch (failure) {
    if (!(failure instanceof PublishRefused)) throw failure;
    await tell(settings, night, { failure, ended: true });
  }
}

/**
 * Audits the output folder against the snapshot that stands.
 *
 * @throws {UsageError} when there is no site or no snapshot
 * @throws {DiskError} when the folder cannot be read
 */
export async function auditOutput(
  settings: Settings,
  say: (line: string) => void,
): Promise<AuditReport> {
  const { outDir, site, service } = settings;
  if (!existsSync(join(outDir, "index.html"))) {
    throw new UsageError(`Cannot audit ${outDir}: no site is there; npm run build first`);
  }
  const reader = openSiteAs(settings);
  try {
    const routes = readRoutes(ROUTES);
    const own = ownPatterns(routes);
    return await auditSite({
      outDir,
      origin: site.url,
      base: site.base,
      attribution: service.plan === "free" ? site.attribution.url : null,
      pages: pagesToAudit(reader, routes),
      mayHave: (path) => own.some((pattern) => pattern.test(path)),
      say: (pages) => say(`${pages} pages`),
    });
  } finally {
    reader.close();
  }
}

/** @throws {PublishRefused} when anything was found */
export function refuseIfFound(report: AuditReport, outDir: string): void {
  const [first] = report.findings;
  if (first === undefined) return;
  const more = report.total > 1 ? `, and ${report.total - 1} more (npm run audit)` : "";
  throw new PublishRefused(`Cannot publish ${outDir}: ${lineOf(first)}${more}`);
}

/** A line for each finding that is kept, and one with the counts. */
export function describeAudit({ pages, total, counts, findings }: AuditReport): string {
  if (total === 0) return `${pages} pages audited, nothing found`;
  const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  const left = total - findings.length;
  return [
    ...findings.map(lineOf),
    ...(left > 0 ? [`… and ${left} more of these kinds`] : []),
    `${pages} pages audited, ${total} findings: ${kinds.join(", ")}`,
  ].join("\n");
}

/** A page of each kind that the collection makes; a route that can give it is one of ours. */
const EXAMPLES = {
  tag: listingPath("tag", "a", 2),
  author: listingPath("author", "a", 2),
  language: listingPath("language", "a", 2),
  initial: initialPath("a", 2),
  quote: quotePath(1),
} as const;

/** The pages that are one file each, and those of the collection for which there is a route. */
function* pagesToAudit(reader: SiteReader, { fixed, patterns }: Routes): Generator<PageToAudit> {
  for (const path of fixed) yield { path, file: fileOf(path), quotes: null };
  const routed = new Set(
    Object.entries(EXAMPLES)
      .filter(([, path]) => patterns.some((pattern) => pattern.test(path)))
      .map(([kind]) => kind),
  );
  for (const page of reader.pages()) {
    if (!routed.has(page.kind)) continue;
    yield { path: page.path, file: fileOf(page.path), quotes: reader.quotesOn(page) };
  }
}

/** A fork's own routes: how many pages they give is not for us to know. */
function ownPatterns({ patterns }: Routes): RegExp[] {
  const ours = Object.values(EXAMPLES);
  return patterns.filter((pattern) => !ours.some((path) => pattern.test(path)));
}
