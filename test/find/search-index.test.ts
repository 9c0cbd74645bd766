/** The search index as files: few, the same for the same quotes, and only those touched that differ. */
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { QuoteToIndex } from "../../src/search/blocks.ts";
import { indexSite } from "../../src/search/index-site.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { HOSTILE } from "../support/site-quotes.ts";

const folder = tempFolder("search");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const quotes: QuoteToIndex[] = Array.from({ length: 900 }, (_, index) => ({
  id: index + 1,
  text: HOSTILE[index] ?? `Sentence ${index} of author number ${index % 90} stands here.`,
  author: HOSTILE[index]?.slice(0, 80) ?? `Author ${index % 90}`,
  language: index % 3 === 0 ? "en" : "ru",
  tags: [`tag-${index % 5}`],
  curated: index % 9 === 0,
  page: `/author/author-${index % 90}/`,
}));

const run = (name: string, given: readonly QuoteToIndex[], out = name) =>
  indexSite({ outDir: join(folder, out), stateDir: join(folder, `${name}-state`), quotes: given });

const filesOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    globSync("pagefind/**/*", { cwd: join(folder, name), withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(join(folder, name).length), readFileSync(path, "base64")]),
  );

test("the same quotes give the same files, far fewer than quotes", async () => {
  const report = await run("a", quotes);
  await run("b", quotes);
  expect(filesOf("a")).toEqual(filesOf("b"));
  expect(report.quotes).toBe(900);
  expect(report.files).toBeLessThan(120);
  expect(report.files).toBe(Object.keys(filesOf("a")).length);
});

test("a second run over the same quotes makes and touches nothing", async () => {
  const entry = join(folder, "a/pagefind/pagefind-entry.json");
  const before = statSync(entry).mtimeMs;
  expect(await run("a", quotes)).toMatchObject({ made: false, changed: 0 });
  expect(statSync(entry).mtimeMs).toBe(before);
});

test("one more quote leaves most files as they lie, and what nobody needs goes", async () => {
  const before = filesOf("a");
  const more = { ...quotes[5], id: 5_000, text: "Quite another thing." } as QuoteToIndex;
  const { changed } = await run("a", [...quotes, more]);
  const after = filesOf("a");
  const kept = Object.keys(before).filter((name) => after[name] === before[name]);
  expect(kept.length).toBeGreaterThan(Object.keys(before).length * 0.7);
  expect(changed).toBeGreaterThan(0);
  expect(filesOf("a")).toEqual(await run("c", [...quotes, more]).then(() => filesOf("c")));
});

test("a file that was cut or deleted is made again", async () => {
  const [name = ""] = globSync("pagefind/quotes/*", { cwd: join(folder, "b") });
  const whole = filesOf("b");
  writeFileSync(join(folder, "b", name), "");
  expect((await run("b", quotes)).made).toBe(true);
  expect(filesOf("b")).toEqual(whole);
});

test("a run that was stopped claims nothing", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  const stateDir = join(folder, "d-state");
  mkdirSync(stateDir, { recursive: true });
  const outDir = join(folder, "d");
  await expect(indexSite({ outDir, stateDir, quotes, signal })).rejects.toThrow("stopped");
  expect(existsSync(join(outDir, "pagefind"))).toBe(false);
  expect((await run("d", quotes)).made).toBe(true);
});
