/**
 * `build.json`: the report on a finished site. It is public, so it contains no secret and no local path.
 *
 * Where it exists, the site is complete; its `audit` says whether the site may be published. A build renames the report before
 * it changes the site, and restores it if nothing changed. Until the first build is complete, `build.json.unfinished` marks the
 * folder as an output folder.
 */
import { closeSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, openExclusive, makeFolder, onDisk } from "../files/disk.ts";
import { measureSite, type ListedFiles } from "../files/walk.ts";
import { BUILD_MARKER, REPORT_ASIDE, REPORT_FILE, REPORT_FILES } from "../files/folders.ts";
import type { BuildReport } from "./run-report.ts";

/** What a build knows of its site; the rest is measured. */
export type BuildFacts = Omit<BuildReport, "built" | "files" | "bytes" | "audit">;

/**
 * Writes the report of a finished site, or restores that of the previous build where nothing changed.
 *
 * @param listed the files of the site
 * @returns the content of the file
 * @throws {DiskError} when the site cannot be read or the file cannot be written
 */
export function writeReport(
  outDir: string,
  facts: BuildFacts,
  now: Date,
  listed?: ListedFiles,
): BuildReport {
  const { files, bytes } = measureSite(outDir, REPORT_FILES, listed);
  const built = now.toISOString();
  const report: BuildReport = { built, ...facts, files, bytes, audit: "unfinished" };
  const before = readReport(outDir);
  if (before === null || !isSameSite(before, report)) return putReport(outDir, report);
  restoreReport(outDir);
  return before;
}

/**
 * Writes the result of the audit into the report.
 *
 * @returns the content of the file; null where there is none
 */
export function settleReport(outDir: string, audit: "passed" | "failed"): BuildReport | null {
  // A report with its name for an unfinished build describes an earlier site.
  const report = existsSync(join(outDir, REPORT_FILE)) ? readReport(outDir) : null;
  if (report === null || report.audit === audit) return report;
  return putReport(outDir, { ...report, audit });
}

/**
 * Renames the report before a build changes the site; where there is none, marks the folder as an output folder.
 *
 * @throws {DiskError} when it cannot be renamed
 */
export function withdrawReport(outDir: string): void {
  const path = join(outDir, REPORT_FILE);
  const aside = join(outDir, REPORT_ASIDE);
  if (existsSync(path)) onDisk("write", path, () => renameSync(path, aside));
  else if (!existsSync(aside)) mark(outDir);
}

/** Undoes `withdrawReport()`: the site is unchanged. */
export function restoreReport(outDir: string): void {
  const aside = join(outDir, REPORT_ASIDE);
  if (existsSync(aside)) onDisk("write", aside, () => renameSync(aside, join(outDir, REPORT_FILE)));
}

/** Removes the withdrawn report of a site that has changed, and marks the folder as incomplete. */
export function dropReport(outDir: string): void {
  mark(outDir);
  rmSync(join(outDir, REPORT_ASIDE), { force: true });
}

/** Whether a build made the folder. */
export function hasReport(outDir: string): boolean {
  return existsSync(join(outDir, BUILD_MARKER)) || readReport(outDir) !== null;
}

/** The report of the previous build, withdrawn or not; null where there is none. */
function readReport(outDir: string): BuildReport | null {
  const paths = [REPORT_ASIDE, REPORT_FILE].map((name) => join(outDir, name));
  const path = paths.find((at) => existsSync(at));
  if (path === undefined) return null;
  const report = parseJson(onDisk("read", path, () => readFileSync(path, "utf8")));
  const isOurs =
    typeof report === "object" && report !== null && "built" in report && "audit" in report;
  return isOurs ? (report as BuildReport) : null;
}

function putReport(outDir: string, report: BuildReport): BuildReport {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  // Without its report, for example after a power cut, the folder would not be recognised as an output folder.
  atomicWrite(join(outDir, REPORT_FILE), text, { durable: true });
  rmSync(join(outDir, REPORT_ASIDE), { force: true });
  return report;
}

function mark(outDir: string): void {
  const marker = join(outDir, BUILD_MARKER);
  if (existsSync(marker)) return;
  makeFolder(outDir);
  onDisk("write", marker, () => closeSync(openExclusive(marker)));
}

/** Whether both reports describe the same snapshot and files, and no page changed. */
function isSameSite(before: BuildReport, now: BuildReport): boolean {
  const { added, changed, removed } = now.changes;
  if (added + changed + removed > 0) return false;
  const timeless = (report: BuildReport): string => {
    const { snapshot, harvest, quotes, languages, pages, files, bytes } = report;
    return JSON.stringify([snapshot, harvest, quotes, languages, pages, files, bytes]);
  };
  return timeless(before) === timeless(now);
}
