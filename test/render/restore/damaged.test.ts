/** What pages were put together from is believed only whole, and only of these pages: otherwise they are rendered. */
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/sqlite/database.ts";
import { contentOf, differences, openBench, someLines, type Bench } from "../support.ts";

/** So many that there are two whose pages are equally long: their numbers are 60 apart. */
const LINES = someLines(75);
const SWAPPED = `
  UPDATE files SET (block, place) =
    (SELECT block, place FROM files WHERE path = 'quote/71/index.html')
  WHERE path = 'quote/11/index.html'`;

let bench: Bench;
let content: Record<string, string>;

beforeEach(async () => {
  bench = openBench(LINES);
  await bench.render();
  content = contentOf(bench.outDir);
  rmSync(bench.outDir, { recursive: true });
});
afterEach(() => bench.remove());

function kept(ending: string): string {
  const folder = join(bench.stateDir, "fragments");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? "");
}

function turnBit(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

function inLedger(sql: string): void {
  const ledger = new Database(join(bench.stateDir, "pages.sqlite"));
  ledger.exec(sql);
  ledger.close();
}

test.each<[string, () => void, boolean]>([
  ["a bit of a recipe turned", () => turnBit(kept(".recipes.gz"), 100), true],
  [
    "a bit of the text turned",
    () => turnBit(kept(".recipes.gz"), statSync(kept(".recipes.gz")).size - 12),
    true,
  ],
  ["the recipes were cut short", () => truncateSync(kept(".recipes.gz"), 600), true],
  ["the recipes are gone", () => rmSync(kept(".recipes.gz")), false],
  [
    "the recipes are another file",
    () => writeFileSync(kept(".recipes.gz"), "x".repeat(50_000)),
    false,
  ],
  ["the fragments are gone", () => rmSync(kept(".bytes")), false],
  ["the fragments' table is damaged", () => turnBit(kept(".index"), 200), false],
  ["recipes are of other pages", () => inLedger("UPDATE files SET place = place + 1"), false],
  ["a recipe is of another page that is as long", () => inLedger(SWAPPED), true],
  ["recipes lie elsewhere", () => inLedger("UPDATE files SET block = block + 1"), false],
  ["the fragments are another store's", () => inLedger("UPDATE recipes SET fragments = 7"), false],
])("pages are rendered when %s", async (_, harm, some) => {
  harm();
  const report = await bench.render();
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
  expect(report.changes).toEqual({ added: 0, changed: 0, removed: 0 });
  expect(report.rendered).toBeGreaterThan(6);
  if (!some) expect(report.restored).toBe(0);
  // And their recipes are kept anew.
  rmSync(bench.outDir, { recursive: true });
  const again = await bench.render();
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
  expect(again.restored).toBeGreaterThan(0);
});

test("the state of another bundle restores nothing", async () => {
  const report = await bench.render({ environment: { THEME: "another" } });
  expect(report.restored).toBe(0);
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
  expect(readdirSync(join(bench.stateDir, "fragments"))).toHaveLength(3);
});

test("what a run that did not finish had kept is not believed, nor what two states are mixed of", async () => {
  const before = join(bench.folder, "before");
  cpSync(bench.stateDir, before, { recursive: true, verbatimSymlinks: true });
  const other = LINES.map((line) => ({ ...line, text: `Other ${line.text}` }));
  bench.write([...LINES, ...other.map((line) => ({ ...line, id: line.id + 100 }))]);
  await bench.render();
  const bytes = readFileSync(kept(".bytes"));
  // The ledger of one night with the fragments of another that went from the same one.
  cpSync(join(before, "fragments"), join(bench.stateDir, "fragments"), { recursive: true });
  appendFileSync(kept(".bytes"), Buffer.alloc(bytes.length, "?"));
  appendFileSync(kept(".recipes.gz"), Buffer.alloc(10_000, "?"));
  const expected = contentOf(bench.outDir);
  rmSync(bench.outDir, { recursive: true });
  await bench.render();
  expect(differences(contentOf(bench.outDir), expected)).toEqual([]);
});

test("recipes are an ordinary gzip file, so that whoever searches the state sees the text of pages", () => {
  const text = gunzipSync(readFileSync(kept(".recipes.gz"))).toString("utf8");
  expect(text).toContain("<h1>любовь</h1>");
});
