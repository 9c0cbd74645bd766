/**
 * The history of builds, `history.ndjson` in the state: one line per build, oldest first.
 *
 * The writer holds the lock of the state. A damaged line is ignored, and removed by the next write.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { parseJson } from "../contract/decode.ts";
import { historyEntry, type HistoryEntry } from "./run-report.ts";

const NAME = "history.ndjson";

export const KEPT = 120;

export function readHistory(stateDir: string): HistoryEntry[] {
  const path = join(stateDir, NAME);
  if (!existsSync(path)) return [];
  const lines = onDisk("read", path, () => readFileSync(path, "utf8")).split("\n");
  return lines.flatMap((line) => historyEntry.safeParse(parseJson(line)).data ?? []);
}

/** The last builds that ended before a harvest, so that the page about its snapshot is always the same. */
export function historyUntil(stateDir: string, finished: string, most: number): HistoryEntry[] {
  const until = Date.parse(finished);
  return readHistory(stateDir)
    .filter(({ at }) => Date.parse(at) <= until)
    .slice(-most);
}

/**
 * Adds a build. It replaces an entry of the same snapshot, unless that is complete and the new one has no more facts.
 *
 * @throws {DiskError} when the file cannot be written
 */
export function addToHistory(stateDir: string, entry: HistoryEntry): void {
  const entries = readHistory(stateDir);
  const place = entries.findIndex((other) => isSameBuild(other, entry));
  const before = entries[place];
  if (before === undefined) entries.push(entry);
  else if (hasMoreFacts(entry, before)) entries[place] = { ...entry, at: before.at };
  else return;
  const lines = entries.slice(-KEPT).map((each) => `${JSON.stringify(each)}\n`);
  atomicWrite(join(stateDir, NAME), lines.join(""), { durable: true });
}

/** Whether two entries describe one build. Two failed runs with the same snapshot are two builds. */
function isSameBuild(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.snapshot !== null && a.snapshot === b.snapshot && hasResult(a) && hasResult(b);
}

/** Whether the build harvested, or rendered the site of an earlier harvest. */
const hasResult = ({ label, files }: HistoryEntry): boolean => label !== null || files !== null;

function hasMoreFacts(now: HistoryEntry, before: HistoryEntry): boolean {
  if (before.status !== 0 || before.files === null) return true;
  return now.findings !== null && (now.findings > 0 || before.findings === null);
}
