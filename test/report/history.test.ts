/** The history of builds: bounded, one line a harvest, and none the worse for broken lines. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addToHistory, historyUntil, KEPT, readHistory } from "../../src/report/history.ts";
import type { HistoryEntry } from "../../src/report/run-report.ts";
import { tempFolder } from "../support/run/index.ts";
import { build } from "./support.ts";

test("addToHistory() keeps the last builds, oldest first", () => {
  const state = tempFolder("history");
  for (let day = 0; day < KEPT + 5; day++) addToHistory(state, build(day));
  const kept = readHistory(state);
  expect(kept).toHaveLength(KEPT);
  expect(kept.map(({ snapshot }) => snapshot)).toEqual(
    Array.from({ length: KEPT }, (_, place) => `s${place + 5}`),
  );
});

const away = { status: 69, snapshot: "s0", label: null, files: null };

test.each<[string, HistoryEntry[], object[]]>([
  [
    "keeps the line of a snapshot that is rendered again",
    [build(1), build(1, { at: "2026-11-20T09:00:00.000Z", calls: null })],
    [build(1)],
  ],
  [
    "replaces a build that failed, or was not audited, by the next of its snapshot",
    [build(1, { status: 65, findings: 3 }), build(1, { findings: null }), build(1)],
    [build(1)],
  ],
  [
    "adds no line for an earlier snapshot that is published again",
    [build(1), build(2), build(3, { snapshot: "s1", label: null, findings: null })],
    [build(1), build(2)],
  ],
  [
    "adds a line for each harvest that failed",
    [build(1, away), build(2, away)],
    [build(1, away), build(2, away)],
  ],
])("addToHistory() %s", (_, builds, kept) => {
  const state = tempFolder("history");
  for (const entry of builds) addToHistory(state, entry);
  expect(readHistory(state)).toEqual(kept);
});

test.each([
  ["a line cut short", '{"at":"2026-11-0'],
  ["another program's line", '{"hello":"world"}'],
  ["a number that is none", JSON.stringify({ ...build(1), calls: -1 })],
  ["a date that is none", JSON.stringify({ ...build(1), at: "<script>" })],
  ["bytes that are no text", "\u0000\ufffd"],
])("readHistory() leaves out %s, and keeps the rest", (_, line) => {
  const state = tempFolder("history");
  addToHistory(state, build(1));
  appendFileSync(join(state, "history.ndjson"), `${line}\n`);
  expect(readHistory(state)).toHaveLength(1);
  addToHistory(state, build(2));
  expect(readHistory(state)).toHaveLength(2);
  expect(readFileSync(join(state, "history.ndjson"), "utf8")).not.toContain(line);
});

test("historyUntil() is the builds that had ended when a harvest did", () => {
  const state = tempFolder("history");
  for (const day of [1, 2, 3, 4]) addToHistory(state, build(day));
  const until = historyUntil(state, build(3).at, 2);
  expect(until.map(({ snapshot }) => snapshot)).toEqual(["s2", "s3"]);
});
