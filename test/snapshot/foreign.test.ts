/** A state from elsewhere, or from a damaged disk: what is read of it is decoded, and a fault names the file and what to do. */
// @module-tag sized
import { cpSync, existsSync, globSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { DiskError } from "../../src/contract/errors.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { readPointer, snapshotPath } from "../../src/snapshot/published/pointer.ts";
import { run, seeded, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { batched } from "../support/tier.ts";

const { batches, timeout } = batched("DAMAGED_STATES", 8, 100, 25);
const SEED = Number(process.env["SEED"] ?? 1);

function stateOf(change: (database: DatabaseSync) => void): string {
  const quotes = [1, 2, 3].map((id) => ({ id, tags: ["love", "hope"] }));
  const { stateDir } = makeSnapshot({ quotes, facts: { asOf: "2026-11-20T00:00:00Z" } });
  const database = new DatabaseSync(snapshotPath(stateDir, readPointer(stateDir) ?? ""));
  change(database);
  database.close();
  return stateDir;
}

/** Reads all that pages, plans and exports read. */
function readAll(stateDir: string): void {
  using snapshot = openPublished(stateDir);
  if (snapshot === null) throw new Error("Cannot test: nothing is published");
  for (const key of ["asOf", "harvest", "source", "selection", "night", "curated"] as const)
    snapshot.fact(key);
  for (const list of [snapshot.all(), snapshot.tags(), snapshot.authors(), snapshot.tagList()])
    for (const entry of list) expect(entry).toBeTruthy();
}

const put = (key: string, value: unknown) => (database: DatabaseSync) =>
  void database
    .prepare("INSERT OR REPLACE INTO facts VALUES (?, ?)")
    .run(key, JSON.stringify(value));

const sql = (text: string) => (database: DatabaseSync) => database.exec(text);

test.each<[string, (database: DatabaseSync) => void, RegExp]>([
  [
    "a view in the place of a table",
    sql("DROP TABLE tags; CREATE VIEW tags AS SELECT 'a' AS name, 'a' AS slug"),
    /it holds the view "tags"/,
  ],
  ["another view", sql("CREATE VIEW other AS SELECT 1"), /it holds the view "other"/],
  [
    "a trigger",
    sql("CREATE TRIGGER t AFTER INSERT ON quotes BEGIN DELETE FROM quotes; END"),
    /it holds the trigger "t"/,
  ],
  ["another table", sql("CREATE TABLE other (a)"), /it holds the table "other"/],
  ["another index", sql("CREATE INDEX i ON quotes (text)"), /it holds the index "i"/],
  ["a column", sql("ALTER TABLE quotes ADD COLUMN extra TEXT"), /quotes has the column extra/],
  [
    "a virtual table",
    sql("DROP TABLE gone; CREATE VIRTUAL TABLE gone USING fts5(id, since)"),
    /it holds the table "gone/,
  ],
  ["tags that are no names", sql("UPDATE quotes SET tags = '[1]'"), /Cannot read a quote/],
  ["tags that are no list", sql("UPDATE quotes SET tags = '{}'"), /Cannot read a quote/],
  ["tags that are no JSON", sql("UPDATE quotes SET tags = '['"), /Cannot read a quote/],
  ["tags that are null", sql("UPDATE quotes SET tags = 'null'"), /Cannot read a quote/],
  ["a date that is none", put("asOf", "yesterday"), /its fact asOf cannot be read/],
  ["a label that is none", put("harvest", { label: "perfect" }), /fact harvest\.label/],
  ["a number as text", put("harvest", { requests: "7" }), /fact harvest\.requests/],
  ["a source that is none", put("source", []), /fact source/],
  [
    "an origin that is code",
    put("source", { host: "a", origin: "javascript:a" }),
    /source\.origin/,
  ],
  [
    "a selection of numbers",
    put("selection", { languages: [1], tags: [] }),
    /selection\.languages/,
  ],
  ["remarks that are none", put("night", { remarks: "x" }), /night\.remarks/],
  ["a night that is null", put("night", null), /fact night/],
])("a snapshot with %s is refused by name", (_, change, message) => {
  const stateDir = stateOf(change);
  expect(() => readAll(stateDir)).toThrow(DiskError);
  expect(() => readAll(stateDir)).toThrow(message);
  expect(() => readAll(stateDir)).toThrow(/npm run snapshots -- use ID/);
});

test("a snapshot as a harvest writes it is read", () => {
  expect(() => readAll(stateOf(() => undefined))).not.toThrow();
});

/** Statuses that name a fault of the state, or none. */
const MAY_END = new Set([0, 65, 74, 75, 78]);

test.each(batches)(
  "$count damaged states, after $first others, end with a sentence and no stack",
  async ({ first, count }) => {
    const whole = tempFolder("whole");
    const quotes = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, tags: ["love"] }));
    makeSnapshot({ quotes, stateDir: whole });
    expect(await run("plan", ["--state", whole, "--quiet"])).toMatchObject({ status: 0 });
    const built = join(tempFolder("site"), "dist");
    if (first + count > 24) {
      const rendered = await run("render", ["--state", whole, "--out", built, "--quiet"]);
      expect(rendered).toMatchObject({ status: 0 });
    }
    const ended = new Map<number | null, number>();
    for (let at = first; at < first + count; at++) {
      const random = seeded(SEED * 100_000 + at);
      const state = tempFolder("damaged");
      cpSync(whole, state, { recursive: true });
      const files = globSync("**/*", { cwd: state, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
      // The snapshot is drawn as often as all that can be made again.
      const read = files.filter((path) => /current|snapshots/.test(path));
      const drawn = random() < 0.5 ? read : files;
      const path = drawn[Math.floor(random() * drawn.length)] ?? "";
      const bytes = readFileSync(path);
      if (random() < 0.3) truncateSync(path, Math.floor(random() * bytes.length));
      else {
        for (let flip = 0; flip < 1 + random() * 40 && bytes.length > 0; flip++)
          bytes.writeUInt8(Math.floor(random() * 256), Math.floor(random() * bytes.length));
        writeFileSync(path, bytes);
      }
      // A whole site takes some seconds.
      const isRendered = at % 25 === 24;
      const out = join(tempFolder("site"), "dist");
      if (isRendered && existsSync(built)) cpSync(built, out, { recursive: true });
      for (const command of ["plan", "export", ...(isRendered ? ["render"] : [])]) {
        const options = [
          "--state",
          state,
          "--quiet",
          ...(command === "render" ? ["--out", out] : []),
        ];
        const { status, stderr } = await run(command, options);
        const where = `${command} of a damaged ${path} (SEED=${SEED}, ${at}): ${stderr}`;
        expect(MAY_END.has(status ?? 1), where).toBe(true);
        expect(stderr, where).not.toMatch(/^\s+at /m);
        ended.set(status, (ended.get(status) ?? 0) + 1);
      }
    }
    process.stdout.write(`damaged states ended with ${JSON.stringify([...ended])}\n`);
    // Not vacuous: some damage is noticed.
    expect(ended.size).toBeGreaterThan(1);
  },
  timeout,
);
