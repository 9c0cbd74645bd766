/** A site with copies: what is written, counted and printed, and that the audit agrees. */
// @module-tag long
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

test("copies are left out of listings, feeds, search, sitemap and API, and keep their pages", async () => {
  const text = "Nothing is as easy as it looks to others from afar.";
  const quotes = [
    ...Array.from({ length: 60 }, (_, n) => {
      return {
        id: n + 1,
        text: `Sentence ${n + 1}.`,
        author: "A. Keeper",
        likes: n,
        tags: ["all"],
      };
    }),
    { id: 101, text, author: "A. Keeper", likes: 7_000, tags: ["all"] },
    { id: 102, text: `“${text.toUpperCase()}”`, author: "A. KEEPER", likes: 900, tags: ["all"] },
    { id: 103, text: text.replace("easy", "hard"), author: "A. Keeper", likes: 5, tags: ["all"] },
  ];
  const { stateDir } = makeSnapshot({ quotes, firstSeen: { 102: "2026-11-20T02:03:00.000Z" } });
  const config = 'export default { url: "https://q.example", cards: 0, embeds: 5 };\n';
  const site = folderWith({ "config.ts": config });
  const out = join(tempFolder("copies"), "dist");
  const env = { SITE_DIR: site, STATE_DIR: stateDir, SITE_NOW: "2026-11-21T09:00:00.000Z" };
  const read = (file: string): string => readFileSync(join(out, file), "utf8");
  const render = async () => {
    const { status, stdout, stderr } = await run("render", ["--whole", "--out", out], env);
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const audit = async () => run("audit", ["--out", out], env);

  expect(await render()).toContain("1 quote shown with another that says the same");
  expect(await audit()).toMatchObject({ status: 0 });
  const copy = read("quote/102/index.html");
  expect(copy).toContain('<link rel="canonical" href="https://q.example/quote/101/">');
  expect(copy).not.toContain("noindex");
  expect(copy).toContain('href="/quote/101/"');
  for (const file of [
    ...["author/a-keeper/index.html", "tag/all/index.html", "language/en/index.html"],
    ...["sitemap-1.xml", "feed.xml", "new/index.html", "new/feed.xml", "index.html"],
    ...["api/v1/author/a-keeper.json", "api/v1/random/0.json", "author/a-keeper/feed.json"],
  ])
    expect(read(file), file).not.toMatch(/(?<!U\+)\b102\b/);
  expect(read("language/en/index.html")).toContain('id="q101"');
  const where = JSON.parse(read(`api/v1/where/${102 % 128}.json`)) as { where: object };
  expect(where).toMatchObject({ where: { 102: "/author/a-keeper/" } });
  expect(JSON.parse(read("build.json"))).toMatchObject({
    ...{ quotes: 62, copies: 1, languages: { en: 62 } },
    pages: { quote: 63 },
  });
  expect(JSON.parse(read("api/v1/authors.json"))).toMatchObject({ terms: [{ quotes: 62 }] });
  expect(readFileSync(join(stateDir, "report.md"), "utf8")).toContain("| Copies | 1,");
  expect(read("about/build/index.html")).toContain("Quotes shown with another");
  // A page that listed the copy, or that search engines would list, is a finding.
  const sitemap = read("sitemap-1.xml");
  const entry = "<url><loc>https://q.example/quote/102/</loc></url></urlset>";
  writeFileSync(join(out, "sitemap-1.xml"), sitemap.replace("</urlset>", entry));
  writeFileSync(
    join(out, "quote/102/index.html"),
    copy.replace("https://q.example/quote/101/", "https://q.example/quote/102/"),
  );
  const refused = await audit();
  expect(refused.status).toBe(65);
  expect(refused.stdout).toContain("it is listed and hidden from search");
  expect(refused.stdout).toContain("its canonical address is another");

  const printed = await run("copies", [], env);
  expect(printed.status, printed.stderr).toBe(0);
  expect(printed.stdout).toContain("# 1 copy is left out of listings; 1 group");
  expect(printed.stdout).toContain("  101: [103]");
  // The lines are the file.
  writeFileSync(join(site, "corrections.yaml"), printed.stdout);
  expect(await render()).toContain("2 quotes shown with another that says the same");
  expect(await audit()).toMatchObject({ status: 0 });
  expect(read("quote/103/index.html")).toContain('href="https://q.example/quote/101/"');
  expect((await run("copies", [], env)).stdout.trim()).toBe(
    "# 2 copies are left out of listings, and no other quotes say nearly the same",
  );

  // What the site says of an author is in feeds and in suggestions, too, and changes nothing else.
  const untouched = read("quote/1/index.html") + read("author/a-keeper/2/index.html");
  const bio = "Keeps <b>sentences</b> & {{more}}.";
  writeFileSync(
    join(site, "authors.yaml"),
    `A. Keeper: { bio: ${JSON.stringify(bio)}, years: 1900–1980 }\n`,
  );
  await render();
  expect(await audit()).toMatchObject({ status: 0 });
  const about = `1900–1980 · ${bio}`;
  expect(JSON.parse(read("author/a-keeper/feed.json"))).toMatchObject({
    description: `Author: A. Keeper. ${about}`,
  });
  for (const feed of ["feed.xml", "atom.xml"])
    expect(read(`author/a-keeper/${feed}`)).toContain("Keeps &lt;b&gt;sentences");
  const [list = ""] = globSync("pagefind/_lists/names-*.json", { cwd: out });
  expect(JSON.parse(read(list))).toContainEqual(["A. Keeper", 61, "author", "", about]);
  expect(read("quote/1/index.html") + read("author/a-keeper/2/index.html")).toBe(untouched);

  writeFileSync(join(site, "corrections.yaml"), "");
  writeFileSync(join(site, "config.ts"), config.replace("{", '{ copies: "show",'));
  expect(await render()).not.toContain("says the same");
  expect(await audit()).toMatchObject({ status: 0 });
  expect(read("language/en/index.html")).toContain('id="q102"');
  expect(existsSync(join(out, "embed/102/index.html"))).toBe(true);
}, 180_000);
