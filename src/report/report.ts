/**
 * `build.json`: what a finished site says of itself. Everybody can read it, so it holds no secret and no local path.
 *
 * A build that changed nothing leaves the file of the build before: then no file of the site is touched.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { HarvestFact } from "../contract/harvest-result.ts";
import { onDisk } from "../files/disk.ts";
import { REPORT_FILES } from "../files/ownership.ts";
import { filesBelow } from "../files/walk.ts";
import { putReport, reportBefore, restoreReport, type AuditState } from "./report-file.ts";

/** The results of a build's stages. */
export interface BuildFacts {
  /** Id of the snapshot that was rendered. */
  readonly snapshot: string;
  /** The harvest that made it; null where the snapshot does not say. */
  readonly harvest: HarvestFact | null;
  /** When all of the quotes had last been read, ISO 8601; null where that is unknown. */
  readonly dataAsOf: string | null;
  readonly quotes: number;
  /** Quotes by the service's language code. */
  readonly languages: Readonly<Record<string, number>>;
  /** Pages by kind. */
  readonly pages: Readonly<Record<string, number>>;
  /** Addresses that differ from the build before; `build-changes.ndjson` beside the state names them. */
  readonly changes: {
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
  };
  /** Null where none were asked for. */
  readonly thumbnails: {
    readonly made: number;
    readonly reused: number;
    readonly failed: number;
  } | null;
}

export interface BuildReport extends BuildFacts {
  /** ISO 8601, UTC. */
  readonly built: string;
  /** Of the site, this report not counted. */
  readonly files: number;
  readonly bytes: number;
  /** Only a site whose audit passed may be published. */
  readonly audit: AuditState;
}

/**
 * Writes the report into a finished site, or leaves the one of the build before where nothing changed.
 *
 * @returns what the file says now
 * @throws {DiskError} when the site cannot be read or the file not be written
 */
export function writeReport(outDir: string, facts: BuildFacts, now: Date): BuildReport {
  const report: BuildReport = {
    built: now.toISOString(),
    ...facts,
    ...measure(outDir),
    audit: "unfinished",
  };
  const before = readReport(outDir);
  if (before !== null && saysTheSame(before, report)) {
    restoreReport(outDir);
    return before;
  }
  putReport(outDir, report);
  return report;
}

/** Writes down how the audit ended, unless the file says so already. */
export function settleReport(
  outDir: string,
  report: BuildReport,
  audit: Exclude<AuditState, "unfinished">,
): BuildReport {
  if (report.audit === audit) return report;
  const settled = { ...report, audit };
  putReport(outDir, settled);
  return settled;
}

function measure(outDir: string): { files: number; bytes: number } {
  let files = 0;
  let bytes = 0;
  for (const file of filesBelow(outDir, { links: "files" })) {
    if (REPORT_FILES.has(file)) continue;
    files++;
    const path = join(outDir, file);
    bytes += onDisk("read", path, () => statSync(path).size);
  }
  return { files, bytes };
}

/** Null where there is none that a build wrote: then a new one is written. */
export function readReport(outDir: string): BuildReport | null {
  return reportBefore(outDir) as BuildReport | null;
}

/** Both say what they say of the same snapshot and files, and the site did not change between them. */
function saysTheSame(before: BuildReport, now: BuildReport): boolean {
  const { added, changed, removed } = now.changes;
  if (added + changed + removed > 0) return false;
  const timeless = ({
    snapshot,
    harvest,
    quotes,
    languages,
    pages,
    files,
    bytes,
  }: BuildReport): string =>
    JSON.stringify([snapshot, harvest, quotes, languages, pages, files, bytes]);
  return timeless(before) === timeless(now);
}
