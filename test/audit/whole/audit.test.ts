/** One fault at a time, put into a site that is otherwise without any. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lineOf } from "../../../src/audit/finding.ts";
import { DiskError } from "../../../src/contract/errors.ts";
import { listSite } from "../../../src/files/walk.ts";
import { tempFolder } from "../../support/run/index.ts";
import { auditAgain, auditWith, page, quote, writeSite } from "../site.ts";

const AUTHOR = "/author/т/";
const GONE = "https://q.example/author/%D1%82/";
const on404 = (body: string) => ({ "404.html": page(body) });

/** What Astro makes of its option `redirects`. */
const redirectTo = (path: string) =>
  `<!doctype html><title>Redirecting to: ${path}</title><meta http-equiv="refresh" content="0;url=${path}">` +
  `<meta name="robots" content="noindex"><body><a href="${path}">${path}</a></body>`;

test.each<[string[], Record<string, string | null>]>([
  [
    [
      "broken link: /: /author/%D1%82/ leads to no file",
      `page missing: ${AUTHOR}`,
      `sitemap: sitemap-1.xml: ${GONE} leads to no file`,
      `sitemap: ${AUTHOR}: it is not listed`,
    ],
    { "author/т/index.html": null },
  ],
  [["page not planned: /old/"], { "old/index.html": page("") }],
  [[], { "moved/index.html": redirectTo("/"), "out/index.html": redirectTo("https://x.example/") }],
  [["broken link: /moved/: /no/ leads to no file"], { "moved/index.html": redirectTo("/no/") }],
  // Hosts add the slash, and some do not.
  [["broken link: /404.html: /tag/love leads to no file"], on404('<a href="/tag/love">x</a>')],
  [
    ["broken link: /404.html: tag/love/index.html has nothing at #q3"],
    on404('<a href="/tag/love/#q3">x</a>'),
  ],
  [[], on404('<a href="/tag/love/#top">x</a><a href="/tag/love/#:~:text=x">x</a>')],
  [
    ["quote missing: /tag/love/: q2", "broken link: /: tag/love/index.html has nothing at #q2"],
    { "tag/love/index.html": page(`${quote(1)}<a href="/tag/love/2/">Next</a>`) },
  ],
  [["attribution: /404.html: there are 0"], { "404.html": page("", "") }],
])("auditSite() finds %j", async (lines, files) => {
  const report = await auditWith(files);
  expect(report.findings.map(lineOf).sort()).toEqual(lines.toSorted());
  expect(report.total).toBe(lines.length);
});

test("auditSite() names the menu for a link of it, before the pages that have the link", async () => {
  const link = '<a href="/shop/">Shop</a>';
  const { findings } = await auditWith(on404(link), { menu: ["/tag/love/", "/shop/"] });
  expect(findings.map(lineOf)).toEqual([
    "broken link: menu of site/config.ts: /shop/ leads to no file",
    "broken link: /404.html: /shop/ leads to no file",
  ]);
});

test("auditSite() counts every finding and keeps the first of each kind", async () => {
  const links = Array.from({ length: 50 }, (_, index) => `<a href="/x${index}/">x</a>`).join("");
  const report = await auditWith({ "404.html": page(`${links}<p id="main"></p>`) });
  expect(report.counts).toEqual({ "broken link": 50, "id twice": 1 });
  expect(report.findings).toHaveLength(11);
});

test("lineOf() gives a line that cannot steer a terminal", () => {
  const detail = `\u001B[2J\n\u202E${"x".repeat(500)}`;
  const line = lineOf({ kind: "unsafe link", page: "/", detail });
  expect(line).toMatch(/^unsafe link: \/: {2}\[2J {1,2}x+…$/);
  expect(line.length).toBeLessThan(200);
});

test("auditSite() refuses a folder that is not there", async () => {
  const site = { outDir: join(tempFolder(), "missing"), stateDir: tempFolder("audits") };
  await expect(auditAgain(site)).rejects.toThrow(DiskError);
});

test.each(["robots.txt", "a.css", "build.json"])(
  "auditSite() names %s, which another program removed meanwhile, and is no bug",
  async (file) => {
    const site = writeSite();
    const listed = listSite(site.outDir);
    rmSync(join(site.outDir, file));
    await expect(auditAgain(site, { listed })).rejects.toThrow(
      new DiskError(`Cannot read ${join(site.outDir, file)}: ENOENT`),
    );
  },
);
