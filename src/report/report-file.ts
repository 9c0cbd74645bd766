/**
 * `build.json` as a file, and what its being there means: the site around it is whole, and `audit` says whether it may be
 * published.
 *
 * A build that is about to change the site puts it aside first. Whoever finds a site without it, or with an audit that
 * did not pass, must not publish it. A build that changed nothing puts the same file back, so that nothing is touched.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../contract/errors.ts";

const NAME = "build.json";
const ASIDE = `${NAME}.before`;
const UNFINISHED = `${NAME}.unfinished`;

/** The names under which it may lie in a site; none of them counts as a file of the site. */
export const REPORT_FILES: ReadonlySet<string> = new Set([NAME, ASIDE, UNFINISHED]);

/** How far a site has been audited. */
export type AuditState = "passed" | "failed" | "unfinished";

/** Puts the report of the build before aside, if there is one. @throws {DiskError} when it cannot be moved */
export function withdrawReport(outDir: string): void {
  const path = join(outDir, NAME);
  if (existsSync(path)) guarded(path, () => renameSync(path, join(outDir, ASIDE)));
}

/** The text of the report of the build before; null when there is none. */
export function reportBefore(outDir: string): string | null {
  const path = [ASIDE, NAME].map((name) => join(outDir, name)).find((at) => existsSync(at));
  return path === undefined ? null : guarded(path, () => readFileSync(path, "utf8"));
}

/** Puts the report of the build before back where it was, untouched. */
export function restoreReport(outDir: string): void {
  const aside = join(outDir, ASIDE);
  if (existsSync(aside)) guarded(aside, () => renameSync(aside, join(outDir, NAME)));
}

/** Takes the report that was put aside away: the site is another now. */
export function dropReport(outDir: string): void {
  rmSync(join(outDir, ASIDE), { force: true });
}

/** Writes a report whole or not at all. @throws {DiskError} when it cannot be written */
export function putReport(outDir: string, report: object): void {
  const path = join(outDir, NAME);
  guarded(path, () => {
    const unfinished = join(outDir, UNFINISHED);
    writeFileSync(unfinished, `${JSON.stringify(report, null, 2)}\n`);
    renameSync(unfinished, path);
  });
  dropReport(outDir);
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new DiskError(`Cannot write ${path}: ${String(error.code)}`, { cause: error });
  }
}
