/** A site whose owner corrects it between two builds: old addresses lead on, evidence stays, and the audit passes. */
// @module-tag long
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { HOSTILE, makeSnapshot } from "../support/snapshot/index.ts";

const EVIL = "</script><img src=x onerror=alert(1)>{{7*7}}";

/** The hostile texts of the project as every value of a correction, for quotes from 51 on. */
const HOSTILE_QUOTES = [...HOSTILE, '=HYPERLINK("https://evil.example")', "__proto__"]
  .map((text, n) => {
    const [author, tag, work] = [text.slice(0, 199), text.slice(0, 99), text.slice(0, 299)];
    return `  ${51 + n}: ${JSON.stringify({ text, author, tags: [tag], source: { work, year: "x" } })}\n`;
  })
  .join("");

const CORRECTIONS = `
quotes:
  1: { text: ${JSON.stringify(EVIL)} }
${HOSTILE_QUOTES}  99: { author: Nobody }
authors:
  Lao Tzu: [Laozi]
tags:
  hide: [todo]
  merges: {}
`;

const AUTHORS = `
Lao Tzu: { bio: ${JSON.stringify(EVIL)}, years: 6th century BC, wikidata: Q9333, portrait: /authors/lao.svg }
Nobody: { bio: x }
`;

test("corrections reach pages, API, redirects, export and the report of a run", async () => {
  const quotes = Array.from({ length: 60 }, (_, n) => ({
    ...{ id: n + 1, text: `Sentence ${n + 1}.`, language: "en", likes: n },
    author: n < 3 ? "Laozi" : `Author ${n % 4}`,
    tags: n % 2 === 0 ? ["todo", "life"] : ["life"],
  }));
  const { stateDir } = makeSnapshot({ quotes });
  const site = folderWith({
    "config.ts": 'export default { url: "https://q.example", cards: 0 };\n',
  });
  const out = join(tempFolder("corrected"), "dist");
  const env = { SITE_DIR: site, STATE_DIR: stateDir };
  const read = (file: string): string => readFileSync(join(out, file), "utf8");
  const render = () => run("render", ["--out", out, "--host", "netlify"], env);

  expect(await render()).toMatchObject({ status: 0 });
  const untouched = read("quote/40/index.html");
  expect(read("author/laozi/index.html")).toContain("Sentence 1.");
  writeFileSync(join(site, "corrections.yaml"), CORRECTIONS);
  folderWith(
    {
      "authors.yaml": AUTHORS,
      "public/authors/lao.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    },
    site,
  );
  const again = await render();
  expect(again.status, again.stderr).toBe(0);
  expect(again.stdout).toContain("35 quotes corrected");
  expect(again.stdout).toContain("correction of quote 99: no quote has this pk");
  expect(again.stdout).toContain("correction tags.merges means nothing");

  const author = read("author/lao-tzu/index.html");
  expect(author).toContain("Sentence 2.");
  expect(author).toMatch(/<aside class="author-facts" lang="en" dir="ltr">.*\(6th century BC\)/s);
  expect(author).toContain('"sameAs":["https://www.wikidata.org/entity/Q9333"]');
  expect(author).not.toContain(EVIL);
  expect(again.stdout).toContain('facts of "Nobody": no quote has this author');
  const missing = await run("authors", ["--missing"], env);
  expect(missing.stdout.split("\n")[0]).toBe('"Author 3": { bio: } # 13');
  expect(missing.stdout).not.toContain("Lao Tzu");
  expect(read("_redirects")).toContain("/author/laozi/ /author/lao-tzu/ 301");
  const page = read("quote/1/index.html");
  expect(page).toMatch(/<details class="served".*Sentence 1\..*Laozi.*<\/details>/s);
  expect(page).not.toContain(EVIL);
  for (let id = 51; id < 59; id++) {
    const html = read(`quote/${id}/index.html`);
    expect(html, String(id)).toContain('class="served"');
    expect(html, String(id)).not.toMatch(/<img src=x|<script>alert/);
  }
  expect(read("quote/40/index.html")).toBe(untouched);
  expect(read("tags/index.html")).not.toContain("todo");
  expect(read("api/v1/language/en.json")).toContain('"corrected":true');
  expect(await run("audit", ["--out", out], env)).toMatchObject({ status: 0 });

  const lines = async (...args: string[]) =>
    (await run("export", args, env)).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { quote: string; author: string; tags: string[] });
  const [corrected, served] = [await lines(), await lines("--raw")];
  expect(corrected[0]).toMatchObject({ author: "Lao Tzu", tags: ["life"], corrected: true });
  expect(corrected.map((line) => "corrected" in line)).toContain(false);
  expect(JSON.stringify(served)).not.toContain("corrected");
  expect(served[0]).toMatchObject({
    quote: "Sentence 1.",
    author: "Laozi",
    tags: ["todo", "life"],
  });
  expect(served).toHaveLength(60);

  // Evidence stays: without the file the old site is there again.
  writeFileSync(join(site, "corrections.yaml"), "");
  expect(await render()).toMatchObject({ status: 0 });
  expect(read("author/laozi/index.html")).toContain("Sentence 1.");
}, 120_000);
