/**
 * The builds of a site, `history.ndjson` in the state: a line each, oldest first.
 *
 * The writer holds the lock of the state. A line that cannot be read is moved to another file.
 */
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { readEntry, type BuildEntry } from "../contract/results.ts";

const NAME = "history.ndjson";
const DAMAGED = "history.damaged.ndjson";

/** Builds of a season. */
export const KEPT = 120;
/** What a history may weigh, in bytes: entries take some 600. More was not written by us. */
const MOST_BYTES = 1_000_000;

/** Oldest first; lines that cannot be read are left out. */
export function readHistory(stateDir: string): BuildEntry[] {
  return parse(stateDir).entries;
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
  const { entries, damaged } = parse(stateDir);
  const place = entries.findIndex((other) => isSameBuild(other, entry));
  const before = entries[place];
  const isNews = before === undefined || saysMore(entry, before);
  if (!isNews && damaged.length === 0) return;
  if (before === undefined) entries.push(entry);
  else if (isNews) entries[place] = { ...entry, at: before.at };
  const path = join(stateDir, NAME);
  if (damaged.length > 0) onDisk("write", path, () => setAside(stateDir, damaged));
  const lines = entries.slice(-KEPT).map((each) => `${JSON.stringify(each)}\n`);
  atomicWrite(path, lines.join(""), { durable: true });
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

function parse(stateDir: string) {
  const path = join(stateDir, NAME);
  // The last part of a file that is longer than a history can be.
  const text = existsSync(path)
    ? onDisk("read", path, () => readFileSync(path).subarray(-MOST_BYTES).toString("utf8"))
    : "";
  const lines = text.split("\n").filter((line) => line !== "");
  const read = lines.map((line) => readEntry(line) ?? line);
  return {
    entries: read.filter((entry) => typeof entry !== "string"),
    damaged: read.filter((entry) => typeof entry === "string"),
  };
}

/** One file of them at most as long as a history may be. */
function setAside(stateDir: string, lines: readonly string[]): void {
  const path = join(stateDir, DAMAGED);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < MOST_BYTES) appendFileSync(path, lines.map((line) => `${line}\n`).join(""));
}
