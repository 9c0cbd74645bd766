/**
 * `build.json`: what a finished site says of itself. It is public, so it holds no secret and no local path.
 *
 * That it is there means that the site around it is whole; `audit` says whether the site may be published. A build that is
 * about to change the site puts the file aside first, and one that changed nothing puts the same file back: then no file of
 * the site is touched. Until a first build is whole, `build.json.unfinished` marks the folder as one that a build made.
 */
import { closeSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HarvestFact } from "../contract/results.ts";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, openExclusive, makeFolder, onDisk } from "../files/disk.ts";
import { measureSite, type ListedFiles } from "../files/walk.ts";
import { BUILD_MARKER, REPORT_ASIDE, REPORT_FILE, REPORT_FILES } from "../files/folders.ts";

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
  /** Addresses that differ from the build before; `build-changes.ndjson` in the state names them. */
  readonly changes: Readonly<Record<"added" | "changed" | "removed", number>>;
  /** Null where none were asked for. */
  readonly thumbnails: Readonly<Record<"made" | "reused" | "failed", number>> | null;
}

export interface BuildReport extends BuildFacts {
  /** ISO 8601, UTC. */
  readonly built: string;
  /** Of the site, this report not counted. */
  readonly files: number;
  readonly bytes: number;
  /** Only a site whose audit passed may be published. */
  readonly audit: "passed" | "failed" | "unfinished";
}

/**
 * Writes the report into a finished site, or leaves the one of the build before where nothing changed.
 *
 * @param listed the files of the site
 * @returns what the file says now
 * @throws {DiskError} when the site cannot be read or the file not be written
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
  if (before === null || !saysTheSame(before, report)) return putReport(outDir, report);
  restoreReport(outDir);
  return before;
}

/**
 * Writes into the report how the audit ended, unless it says so already.
 *
 * @returns what the file says now; null where there is none
 */
export function settleReport(outDir: string, audit: "passed" | "failed"): BuildReport | null {
  // One that was put aside by a build that did not end is of another site.
  const report = existsSync(join(outDir, REPORT_FILE)) ? readReport(outDir) : null;
  if (report === null || report.audit === audit) return report;
  return putReport(outDir, { ...report, audit });
}

/**
 * Puts the report of the build before aside; where there is none, marks the folder as that of a build.
 *
 * @throws {DiskError} when it cannot be moved
 */
export function withdrawReport(outDir: string): void {
  const path = join(outDir, REPORT_FILE);
  const aside = join(outDir, REPORT_ASIDE);
  if (existsSync(path)) onDisk("write", path, () => renameSync(path, aside));
  else if (!existsSync(aside)) mark(outDir);
}

/** Puts the report of the build before back where it was, untouched. */
export function restoreReport(outDir: string): void {
  const aside = join(outDir, REPORT_ASIDE);
  if (existsSync(aside)) onDisk("write", aside, () => renameSync(aside, join(outDir, REPORT_FILE)));
}

/** Removes the report that was put aside: the site is another now, and its folder is marked as not whole. */
export function dropReport(outDir: string): void {
  mark(outDir);
  rmSync(join(outDir, REPORT_ASIDE), { force: true });
}

/** Whether a build made what lies in a folder. */
export function hasReport(outDir: string): boolean {
  return existsSync(join(outDir, BUILD_MARKER)) || readReport(outDir) !== null;
}

/** The report of the build before, put aside or not; null when there is none that a build wrote. */
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
  // A folder whose report a power cut emptied would not be known as that of a build.
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

/** Whether both are of the same snapshot and files, and the site did not change between them. */
function saysTheSame(before: BuildReport, now: BuildReport): boolean {
  const { added, changed, removed } = now.changes;
  if (added + changed + removed > 0) return false;
  const timeless = (report: BuildReport): string => {
    const { snapshot, harvest, quotes, languages, pages, files, bytes } = report;
    return JSON.stringify([snapshot, harvest, quotes, languages, pages, files, bytes]);
  };
  return timeless(before) === timeless(now);
}
