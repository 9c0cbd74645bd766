/**
 * `build.json`: what a finished site says of itself. Everybody can read it, so it holds no secret and no local path.
 *
 * A build that changed nothing leaves the file of the build before: then no file of the site is touched.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../contract/errors.ts";
import type { HarvestFact } from "../contract/harvest-result.ts";
import { filesOf } from "./files.ts";

/** What the stages of a build tell. */
export interface BuildFacts {
  /** Id of the snapshot that was rendered. */
  readonly snapshot: string;
  /** The harvest that made it; null where the snapshot does not say. */
  readonly harvest: HarvestFact | null;
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
}

const NAME = "build.json";

/**
 * Writes the report into a finished site, or leaves the one that is there where nothing changed.
 *
 * @returns what the file says now
 * @throws {DiskError} when the site cannot be read or the file not be written
 */
export function writeReport(outDir: string, facts: BuildFacts, now: Date): BuildReport {
  const path = join(outDir, NAME);
  try {
    const report: BuildReport = { built: now.toISOString(), ...facts, ...measure(outDir) };
    const before = readReport(path);
    if (before !== null && saysTheSame(before, report)) return before;
    const unfinished = `${path}.unfinished`;
    writeFileSync(unfinished, `${JSON.stringify(report, null, 2)}\n`);
    renameSync(unfinished, path);
    return report;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new DiskError(`Cannot write ${path}: ${String(error.code)}`, { cause: error });
  }
}

/** Pages by kind, in the order in which the kinds come. */
export function countByKind(pages: Iterable<{ readonly kind: string }>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of pages) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function measure(outDir: string): { files: number; bytes: number } {
  let files = 0;
  let bytes = 0;
  for (const file of filesOf(outDir)) {
    if (file === NAME || file === `${NAME}.unfinished`) continue;
    files++;
    bytes += statSync(join(outDir, file)).size;
  }
  return { files, bytes };
}

/** Null where there is none that can be read: then a new one is written. */
function readReport(path: string): BuildReport | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as BuildReport;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
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
