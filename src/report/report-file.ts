/**
 * `build.json` as a file, and what its being there means: the site around it is whole, and `audit` says whether it may be
 * published.
 *
 * A build that is about to change the site puts it aside first. A site without it, or with an audit that did not pass,
 * must not be published. A build that changed nothing puts the same file back, so that nothing is touched. Until a first
 * build is whole, `build.json.unfinished` marks the folder as one that a build made.
 */
import { closeSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite, openExclusive } from "../files/atomic-write.ts";
import { onDisk } from "../files/disk.ts";
import { BUILD_MARKER, REPORT_ASIDE, REPORT_FILE } from "../files/ownership.ts";

/** How far a site has been audited. */
export type AuditState = "passed" | "failed" | "unfinished";

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

/** Whether a build made what lies in a folder. */
export function hasReport(outDir: string): boolean {
  return existsSync(join(outDir, BUILD_MARKER)) || reportBefore(outDir) !== null;
}

/** The report of the build before; null when there is none that a build wrote. */
export function reportBefore(outDir: string): object | null {
  const path = [REPORT_ASIDE, REPORT_FILE]
    .map((name) => join(outDir, name))
    .find((at) => existsSync(at));
  if (path === undefined) return null;
  const text = onDisk("read", path, () => readFileSync(path, "utf8"));
  try {
    const report: unknown = JSON.parse(text);
    const isOurs =
      typeof report === "object" && report !== null && "built" in report && "audit" in report;
    return isOurs ? report : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Puts the report of the build before back where it was, untouched. */
export function restoreReport(outDir: string): void {
  const aside = join(outDir, REPORT_ASIDE);
  if (existsSync(aside)) onDisk("write", aside, () => renameSync(aside, join(outDir, REPORT_FILE)));
}

/** Takes the report that was put aside away: the site is another now, and its folder is marked as not whole. */
export function dropReport(outDir: string): void {
  mark(outDir);
  rmSync(join(outDir, REPORT_ASIDE), { force: true });
}

/** Writes a report whole or not at all. @throws {DiskError} when it cannot be written */
export function putReport(outDir: string, report: object): void {
  atomicWrite(join(outDir, REPORT_FILE), `${JSON.stringify(report, null, 2)}\n`);
  rmSync(join(outDir, REPORT_ASIDE), { force: true });
}

function mark(outDir: string): void {
  const marker = join(outDir, BUILD_MARKER);
  if (existsSync(marker)) return;
  onDisk("write", marker, () => {
    mkdirSync(outDir, { recursive: true });
    closeSync(openExclusive(marker));
  });
}
