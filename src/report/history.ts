/**
 * The builds of a site, `history.ndjson` in the state: a line each, oldest first.
 *
 * The writer holds the lock of the state. A line that cannot be read is left out, and gone when the next is written.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { readEntry, type BuildEntry } from "../contract/results.ts";

const NAME = "history.ndjson";

/** Builds of a season. */
export const KEPT = 120;

/** Oldest first. */
export function readHistory(stateDir: string): BuildEntry[] {
  const path = join(stateDir, NAME);
  if (!existsSync(path)) return [];
  const lines = onDisk("read", path, () => readFileSync(path, "utf8")).split("\n");
  return lines.map(readEntry).filter((entry) => entry !== null);
}

/** The last builds that had ended when a harvest did: the page of a snapshot says the same whenever it is made. */
export function historyUntil(stateDir: string, finished: string, most: number): BuildEntry[] {
  const until = Date.parse(finished);
  return readHistory(stateDir)
    .filter(({ at }) => Date.parse(at) <= until)
    .slice(-most);
}

/**
 * Adds a build. One of the same snapshot takes the place of the one before, unless that was whole and this one says less.
 *
 * @throws {DiskError} when the file cannot be written
 */
export function addToHistory(stateDir: string, entry: BuildEntry): void {
  const entries = readHistory(stateDir);
  const place = entries.findIndex((other) => isSameBuild(other, entry));
  const before = entries[place];
  if (before === undefined) entries.push(entry);
  else if (saysMore(entry, before)) entries[place] = { ...entry, at: before.at };
  else return;
  const lines = entries.slice(-KEPT).map((each) => `${JSON.stringify(each)}\n`);
  atomicWrite(join(stateDir, NAME), lines.join(""), { durable: true });
}

/** Whether two entries are of one build; two failed runs that left the same snapshot published are two. */
function isSameBuild(a: BuildEntry, b: BuildEntry): boolean {
  return a.snapshot !== null && a.snapshot === b.snapshot && hasResult(a) && hasResult(b);
}

/** Whether the build had a harvest, or made a site of an earlier one. */
const hasResult = ({ label, files }: BuildEntry): boolean => label !== null || files !== null;

function saysMore(now: BuildEntry, before: BuildEntry): boolean {
  if (before.status !== 0 || before.files === null) return true;
  return now.findings !== null && (now.findings > 0 || before.findings === null);
}
