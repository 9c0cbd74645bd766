/** A site over some nights: names change, tags merge, quotes leave; and its host gets redirects, or pages that redirect. */
// @module-tag long
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { prepareHostOf } from "../../src/commands/site-stages.ts";
import { refusalOf } from "../../src/audit/refusal.ts";
import { answersOf } from "../../src/commands/preview.ts";
import { measureSite } from "../../src/files/walk.ts";
import { serveFolder, useBrowser } from "../support/browser/index.ts";
import { HostSite } from "./host-site.ts";
import { folderWith } from "../support/run/index.ts";
import { HOSTILE, type QuoteDraft } from "../support/snapshot/index.ts";

const site = new HostSite({ embeds: 0 });
const browser = useBrowser();

/** Quotes of one night: 120 of "Ada", of whom some leave, under names and tags that change. */
function night(author: string, tag: string, ids: readonly number[]): QuoteDraft[] {
  const own = ids.map((id) => ({ id, author, tags: [tag, "wit"], likes: 200 - id }));
  const others = HOSTILE.map((text, index) => ({
    id: 500 + index,
    author: text.slice(0, 200),
    tags: [text.slice(0, 200)],
  }));
  return [...own, ...others];
}

const ids = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const read = (name: string): string => readFileSync(join(site.outDir, name), "utf8");
const PAGES = { host: "github-pages" } as const;
const onPages = site.settings(PAGES);

beforeAll(async () => {
  site.publish(night("Ada", "self help", ids(1, 120)));
  await site.make({ ...PAGES, embeds: 2 });
  site.publish(night("Ada Lovelace", "growth", ids(1, 40)));
  await site.make(PAGES);
});

test("redirect pages take the place of pages that moved, and pass the audit", async () => {
  expect(read("author/ada/index.html")).toContain('url=/author/ada-lovelace/"');
  expect(read("author/ada/3/index.html")).toContain('url=/author/ada-lovelace/"');
  expect(read("tag/self-help/index.html")).toContain('url=/tag/growth/"');
  expect(read("tag/wit/3/index.html")).toContain('url=/tag/wit/"');
  const { findings, total } = await site.audit(onPages);
  expect({ findings, total }).toEqual({ findings: [], total: 0 });
});

test("without pages to embed no page offers their code, also one that did not change otherwise", () => {
  const pages = globSync("**/*.html", { cwd: site.outDir });
  expect(pages.filter((page) => read(page).includes("Copy embed code"))).toEqual([]);
});

test("a browser that comes by the old address ends at the new one", async () => {
  const served = await serveFolder(site.outDir, "/", { answers: answersOf(onPages) });
  const page = await browser().newPage();
  await page.goto(`${served.url}author/ada/`);
  await page.waitForURL("**/author/ada-lovelace/");
  expect(await page.locator("h1").innerText()).toBe("Ada Lovelace");
});

test("a page that is back takes its place again, and no other redirect page is touched", async () => {
  const path = join(site.outDir, "tag/self-help/index.html");
  const before = statSync(path).mtimeMs;
  site.publish(night("Ada", "growth", ids(1, 40)));
  await site.make(PAGES);
  expect(statSync(path).mtimeMs).toBe(before);
  expect(read("author/ada/index.html")).toContain('<article class="quote"');
  expect(read("author/ada-lovelace/index.html")).toContain('url=/author/ada/"');
  expect(read("author/ada/3/index.html")).toContain('url=/author/ada/"');
  expect((await site.audit(onPages)).total).toBe(0);
});

test("a host with redirects gets rules in place of pages, and no line that a name wrote", async () => {
  // More quotes than a year has days: the advice leaves room for a year of daily pages.
  const others = ids(701, 1_300).map((id) => ({ id, author: "Bea", tags: ["wit"] }));
  site.publish([...night("Ada", "growth", ids(1, 40)), ...others]);
  await site.make({ host: "cloudflare" });
  expect(existsSync(join(site.outDir, "author/ada-lovelace"))).toBe(false);
  const [first = "", ...lines] = read("_redirects").trimEnd().split("\n");
  expect(first).toMatch(/^# Made by Commonplace/);
  expect(lines).toContain("/author/ada-lovelace/ /author/ada/ 301");
  expect(lines.filter((line) => !/^\/[\w%/.-]+ \/[\w%/.#-]* 301$/.test(line))).toEqual([]);
  expect((await site.audit(site.settings({ host: "cloudflare" }))).findings).toEqual([]);
});

test("a site of too many files is refused before rendering, in one line, and the settings that it names make it fit", async () => {
  // More than a fork has besides, which no estimate knows.
  const files = measureSite(site.outDir).files - 200;
  const small = { host: "cloudflare", hostLimits: { files } } as const;
  const refused = await site.make(small);
  expect(refused.status).toBe(65);
  expect(refused.message).toMatch(
    /^Cannot render for Cloudflare Pages: about \d+ files, where \d+ are allowed: set quotePages: \d+ in site\/config.ts, or choose another host;/,
  );
  const quotePages = Number(/quotePages: (\d+)/.exec(refused.message)?.[1]);
  const made = { ...small, quotePages };
  expect((await site.make(made)).status).toBe(0);
  expect(measureSite(site.outDir).files).toBeLessThanOrEqual(files);
  expect((await site.audit(site.settings(made))).total).toBe(0);
  // A quote that lost its page to this is led to its place.
  expect(read("_redirects")).toMatch(/^\/quote\/1300\/ \/author\/bea\/12\/#q1300 301$/m);
});

test("the audit counts real files and bytes, and names the limit and what to do first", async () => {
  const strict = site.settings({ host: "vercel", hostLimits: { files: 50, bytes: 1_000 } });
  // As many as the advice left, by what is there.
  const quotePages = globSync("quote/*/index.html", { cwd: site.outDir }).length;
  const report = await site.audit({ ...strict, site: { ...strict.site, quotePages } });
  expect(report.counts["host limit"]).toBe(2);
  expect(refusalOf(report, "dist")?.message).toMatch(
    /^Cannot publish dist: host limit: Vercel: [\d,]+ files, where 50 are allowed, and 1 more \(npm run audit\); set `quotePages` lower, or/,
  );
});

test("a file of the fork's public folder is used in place of the generated one", () => {
  const folder = folderWith({ "public/_redirects": "/mine/ / 301\n" });
  folderWith({ _redirects: "/mine/ / 301\n" }, site.outDir);
  vi.stubEnv("SITE_DIR", folder);
  try {
    expect(prepareHostOf(site.settings({ host: "cloudflare" })).kept).toEqual(["_redirects"]);
    expect(read("_redirects")).toBe("/mine/ / 301\n");
  } finally {
    vi.unstubAllEnvs();
  }
});
