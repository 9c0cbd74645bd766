/** What crawlers, feed readers, calendars, other sites and screen readers expect of a built site. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { serveFolder, useBrowser } from "../support/browser/index.ts";
import { buildSite, pagesIn, type BuiltSite } from "../support/built/index.ts";
import { digestOf } from "../../src/layouts/content-policy.ts";
import { HEAD_SCRIPT, SPECULATION_RULES } from "../../src/layouts/inline-scripts.ts";
import { ADVICE } from "../../src/audit/finding.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";
import { inTiers } from "../support/tier.ts";

const SITE_URL = "https://quotes.example";
let site: BuiltSite;
const browser = useBrowser();
const read = (path: string) => readFileSync(join(site.outDir, path), "utf8");

/** Two quotes that begin alike, and a listing of several pages. */
const LONG = "Whoever begins a sentence in one way may end it in quite another, ";
const ALIKE = [9_001, 9_002].map((id) => ({
  ...{ id, author: "A. Twin", text: LONG.repeat(4) + id },
}));

beforeAll(async () => {
  site = await buildSite({ quotes: [...siteQuotes(), ...ALIKE] }, { SITE_URL });
});

const headOf = (path: string): string => read(path).split("</head>", 1)[0] ?? "";
const one = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? "";

test("pages in the index of search engines have titles and descriptions of their own", () => {
  const heads = pagesIn(site.outDir).flatMap((path) => {
    const head = headOf(path);
    return /<meta name="robots" content="noindex/.test(head) ? [] : [[path, head] as const];
  });
  expect(heads.length).toBeGreaterThan(100);
  for (const pattern of [/<title>(.*?)<\/title>/, /<meta name="description" content="([^"]*)/]) {
    const byText = Map.groupBy(heads, ([, head]) => one(pattern, head));
    // The fixture has quotes that are the same word for word: short ones have one title.
    const doubles = [...byText].filter(
      ([, same]) => same.length > 1 && !same.every(([path]) => path.startsWith("quote/")),
    );
    expect(doubles.map(([text, same]) => [text, same.map(([path]) => path)])).toEqual([]);
  }
  const [first = "", second = ""] = ALIKE.map(({ id }) => headOf(`quote/${id}/index.html`));
  for (const pattern of [/<title>(.*?)<\/title>/, /<meta name="description" content="([^"]*)/])
    expect(one(pattern, first)).not.toBe(one(pattern, second));
});

test("the policy of a page names no digest but of what is inline on it, and those of the configuration", () => {
  const named = [HEAD_SCRIPT, SPECULATION_RULES].map(digestOf);
  for (const path of pagesIn(site.outDir)) {
    const html = read(path);
    const policy = one(/http-equiv="content-security-policy" content="([^"]*)/, html);
    const digests = Array.from(policy.matchAll(/'(sha256-[^']*)'/g), ([, digest = ""]) => digest);
    expect(digests.length, path).toBeGreaterThan(1);
    const inline = Array.from(
      html.matchAll(/<(script|style)[^>]*>(.*?)<\/\1>/gs),
      ([, , text = ""]) => digestOf(text),
    );
    const used = new Set<string>([...named, ...inline]);
    expect(
      digests.filter((digest) => !used.has(digest)),
      path,
    ).toEqual([]);
  }
});

test("pages allow large pictures in search results", () => {
  const head = headOf("index.html");
  expect(head).toContain('<meta name="robots" content="max-image-preview:large">');
  expect(headOf("favourites/index.html")).toContain('<meta name="robots" content="noindex">');
});

test("feeds have an icon and a language, and titles that differ", async () => {
  const served = await serveFolder(site.outDir);
  const files = globSync("**/{feed,atom}.{xml,json}", { cwd: site.outDir });
  const titles: string[] = [];
  const icons = new Set<string>();
  for (const file of files) {
    const text = read(file);
    if (file.endsWith(".json")) {
      const feed = JSON.parse(text) as Record<"title" | "language" | "icon" | "favicon", string>;
      expect(feed.language, file).toMatch(/^[a-z]{2,3}/);
      icons.add(feed.icon).add(feed.favicon);
    } else if (file.endsWith("feed.xml")) {
      expect(text, file).toMatch(/<language>[a-z]{2,3}[\w-]*<\/language>/);
      icons.add(one(/<image><url>(.*?)<\/url>/, text));
      titles.push(one(/<title>(.*?)<\/title>/, text));
    } else {
      expect(text, file).toMatch(/<feed [^>]*xml:lang="[a-z]/);
      icons.add(one(/<icon>(.*?)<\/icon>/, text));
    }
  }
  expect(new Set(titles).size).toBe(titles.length);
  for (const icon of icons) {
    const answer = await fetch(served.url + icon.slice(SITE_URL.length + 1));
    expect([answer.status, answer.headers.get("content-type")], icon).toEqual([200, "image/png"]);
  }
  const named = [
    ...read("today/index.html").matchAll(
      /type="application\/(?:rss|atom|feed)\+[^>]*title="([^"]+)"/g,
    ),
  ];
  expect(named).toHaveLength(6);
  expect(new Set(named.map(([, title]) => title)).size).toBe(6);
});

test("a page for people lists the feeds, and the end of every page leads to it", () => {
  expect(read("quote/1/index.html")).toContain('<a href="/feeds/">');
  const page = read("feeds/index.html");
  const feeds = [...page.matchAll(/href="\/([\w./-]*(?:feed|atom)\.(?:xml|json))"/g)].map(
    ([, file]) => file,
  );
  const files = globSync("{language,tag}/*/feed.xml", { cwd: site.outDir });
  expect(files.length).toBeGreaterThan(3);
  expect(feeds).toEqual(expect.arrayContaining(["feed.xml", "today/atom.xml", "new/feed.json"]));
  expect(feeds).toEqual(expect.arrayContaining(files));
});

test("the calendar has the next 30 days, with ends, a name and how often to ask", () => {
  const file = read("today/calendar.ics").replaceAll("\r\n ", "");
  expect(file).toMatch(/^NAME:.+\r$/m);
  expect(file).toMatch(/^REFRESH-INTERVAL;VALUE=DURATION:PT12H\r$/m);
  expect(file).toMatch(/^METHOD:PUBLISH\r$/m);
  const days = [...file.matchAll(/DTSTART;VALUE=DATE:(\d{8})\r\nDTEND;VALUE=DATE:(\d{8})\r/g)];
  const starts = days.map(([, start]) => start);
  expect(starts).toEqual([...starts].sort());
  // Built on 21 November.
  expect(starts.filter((start = "") => start > "20261121")).toHaveLength(30);
  expect(days.at(-1)?.slice(1)).toEqual(["20261221", "20261222"]);
  expect(days.filter(([, start = "", end = ""]) => end <= start)).toEqual([]);
});

test("the oEmbed answer has the words of the quote before its frame, and the page of today names one", () => {
  const { html } = JSON.parse(read("embed/1/oembed.json")) as { html: string };
  const [, link] =
    /^<blockquote [^>]*lang="en"[^>]*><p>[^<]+.*<a href="([^"]+)">[^<]+<\/a><\/p><\/blockquote><iframe /.exec(
      html,
    ) ?? [];
  expect(link).toBe(`${SITE_URL}/quote/1/`);
  expect(read("today/index.html")).toMatch(
    /<link rel="alternate" type="application\/json\+oembed"[^>]*href="https:\/\/quotes\.example\/embed\/today\/oembed\.json"/,
  );
});

test("each quote is an article with the name of its author for screen readers", async () => {
  const served = await serveFolder(site.outDir);
  const page = await browser().newPage();
  await page.goto(`${served.url}language/en/`);
  const names = await page.locator("article .by").allTextContents();
  expect(names.length).toBeGreaterThan(10);
  for (const [at, name] of names.slice(0, 10).entries())
    expect(await page.getByRole("article", { name: name.trim() }).count(), `${at}`).toBeGreaterThan(
      0,
    );
  expect(await page.getByRole("article").count()).toBe(names.length);
  expect(await page.locator("article:not([aria-labelledby])").count()).toBe(0);
});

for (const { cases, options } of inTiers(
  [
    ["Pacific/Auckland", "2026-11-21T20:00:00Z", "/today/next/", "2026-11-22"],
    ["America/Los_Angeles", "2026-11-21T20:00:00Z", "/today/", "2026-11-21"],
    ["America/Los_Angeles", "2026-11-25T20:00:00Z", "/today/", "2026-11-21"],
  ],
  1,
))
  test.each(cases)(
    "a reader in %s at %s is shown the own date where the site has it",
    options,
    async (timezoneId, now, path, date) => {
      const served = await serveFolder(site.outDir);
      const context = await browser().newContext({ timezoneId, locale: "en-GB" });
      const page = await context.newPage();
      await page.clock.setFixedTime(now);
      await page.goto(`${served.url}today/`, { waitUntil: "networkidle" });
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      const [, month, day] = date.split("-").map(Number);
      expect(month).toBe(11);
      expect(await page.locator(".kicker").first().textContent()).toContain(`November ${day}`);
    },
  );

test.each([
  ["ar/today/", "Pacific/Auckland"],
  ["ar/today/", "UTC"],
  // Some hosts leave the last slash out.
  ["today/index.html", "UTC"],
])("the page /%s stays for a reader in %s", { tags: "long" }, async (path, timezoneId) => {
  const served = await serveFolder(site.outDir);
  const context = await browser().newContext({ timezoneId, locale: "en-GB" });
  const page = await context.newPage();
  let opened = 0;
  page.on("framenavigated", () => opened++);
  await page.clock.setFixedTime("2026-11-21T20:00:00Z");
  await page.goto(served.url + path, { waitUntil: "networkidle" });
  expect([opened, new URL(page.url()).pathname]).toEqual([1, `/${path}`]);
});

test("without a script the page of today is that of the site", async () => {
  const served = await serveFolder(site.outDir);
  const context = await browser().newContext({
    timezoneId: "Pacific/Auckland",
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto(`${served.url}today/`);
  expect(await page.locator(".kicker").first().textContent()).toContain("November 21");
});

test(
  "a robots.txt in site/public/ is refused with the way to have one's own",
  { tags: "long" },
  async () => {
    const SITE_DIR = folderWith({ "public/robots.txt": "User-agent: *\nDisallow:\n" });
    const args = ["--state", site.stateDir, "--out", tempFolder("robots"), "--quiet"];
    const { status, stderr } = await run("render", args, { SITE_DIR, SITE_URL });
    expect(status).toBe(78);
    expect(stderr).toMatch(
      /robots\.txt, too; remove it and write site\/pages\/robots\.txt\.ts instead/,
    );
  },
);

test("the advice for a robots.txt without the sitemap names the file of the site", () => {
  expect(ADVICE["robots.txt"]).toContain("site/pages/robots.txt.ts");
});

test("WebKit gets no transition between pages, and no hanging mark before a quote", () => {
  const css = globSync("_astro/*.css", { cwd: site.outDir }).map(read).join("");
  // WebKit alone has the property, so the rule leaves it out.
  const [, rule = ""] =
    /@supports not \(hanging-punctuation: ?first\) ?\{(.*?)\}\}/s.exec(css) ?? [];
  expect(rule).toContain("@view-transition");
  expect(css.match(/@view-transition/g)).toHaveLength(rule.match(/@view-transition/g)?.length ?? 0);
  const inQuotes = [...css.matchAll(/blockquote[^{}]*\{([^{}]*hanging-punctuation[^{}]*)\}/g)];
  expect(inQuotes.length).toBeGreaterThan(0);
  for (const [, body] of inQuotes) expect(body).toMatch(/hanging-punctuation: ?none/);
});
