/** The embedded collection as a finished site: the estimate against it, and its headers in a real browser. */
// @module-tag long
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sizeFor } from "../../src/hosts/fit.ts";
import { prepareHostOf } from "../../src/commands/site-stages.ts";
import { answersOf } from "../../src/commands/preview.ts";
import type { HostName } from "../../src/contract/host.ts";
import { estimateError } from "../../src/plan/estimate/limits.ts";
import { otherFiles, publishedShape } from "../../src/plan/estimate/size.ts";
import { filesBelow, measureSite } from "../../src/files/walk.ts";
import { embeddedCollection } from "../../src/service/collection.ts";
import { newReader, serveFolder, useBrowser, type Served } from "../support/browser/index.ts";
import { folderWith } from "../support/run/index.ts";
import { HostSite } from "./host-site.ts";

const site = new HostSite();
const browser = useBrowser();

beforeAll(async () => {
  site.publish(
    embeddedCollection().map(({ pk: id, quote: text, ...more }) => ({ id, text, ...more })),
  );
  expect(await site.make({ cards: 40, host: "cloudflare" })).toMatchObject({ status: 0 });
});

function shapeOf({ stateDir }: HostSite) {
  const shape = publishedShape(stateDir);
  if (shape === null) throw new Error("the site has no snapshot");
  return shape;
}

test("the estimate of files, folders and bytes is within its stated error", () => {
  const settings = site.settings({ cards: 40 });
  const estimate = sizeFor(shapeOf(site), settings.site, settings);
  const real = measureSite(site.outDir);
  const off = (name: keyof typeof real): number => Math.abs(estimate[name] / real[name] - 1);
  expect(off("files")).toBeLessThan(estimateError("files"));
  expect(off("folders")).toBeLessThan(estimateError("entries"));
  expect(off("bytes")).toBeLessThan(estimateError("bytes"));
});

test("each kind of file that is no page is counted by itself", () => {
  const files = [...filesBelow(site.outDir)];
  const real = (pattern: RegExp): number => files.filter((file) => pattern.test(file)).length;
  const embedded = real(/^embed\/.*\.html$/);
  const pages = real(/\.html$/) - embedded;
  const besides = otherFiles(shapeOf(site), site.settings({ cards: 40 }).site, pages, embedded);
  expect(besides.api.files).toBe(real(/^api\/.*\.json$/));
  expect(besides.feeds.files).toBe(real(/(?:(?:feed|atom)\.(?:xml|json)|\.ics)$/));
  expect(besides.oEmbed.files).toBe(real(/oembed\.json$/));
  expect(besides.sitemap.files).toBe(real(/^sitemap-/));
  // Texts of one language may be longer than of another; a card of today may be one of the most liked.
  expect(Math.abs(besides.search.files / real(/^pagefind\//) - 1)).toBeLessThan(0.3);
  expect(Math.abs(besides.cards.files - real(/^_cards\//))).toBeLessThan(6);
});

test("the most liked quotes show the picture made of them, in a room that is known before it comes", () => {
  const image = /class="poster" href="\/([^"]+\.png)">\s*<img src="\/\1" width="240" height="240"/;
  const shown = [...filesBelow(site.outDir)].flatMap((file) => {
    if (!/^quote\/.*\.html$/.test(file)) return [];
    return image.exec(readFileSync(join(site.outDir, file), "utf8"))?.[1] ?? [];
  });
  expect(shown.length).toBe(20);
  expect(shown.filter((file) => !existsSync(join(site.outDir, file)))).toEqual([]);
});

test("a page names the type and the words of its picture", () => {
  const html = readFileSync(join(site.outDir, "quote/1/index.html"), "utf8");
  expect(html).toContain('<meta property="og:image:type" content="image/png">');
  expect(html).toMatch(/<meta property="og:image:alt" content="[^"]+">/);
});

/** Serves the site as a host would, prepared anew. */
async function servedAs(host: HostName): Promise<Served> {
  const settings = site.settings({ cards: 40, host });
  prepareHostOf(settings);
  return serveFolder(site.outDir, "/", { answers: answersOf(settings) });
}

const META_POLICY = /<meta http-equiv="content-security-policy" content="(?![^"]*unsafe)/;
const PAGES = [
  ...["", "today/", "tags/", "tag/freedom/", "language/he/", "language/be/"],
  ...["language/ar/", "author/unknown/", "quote/1/", "favourites/", "about/", "api/"],
];

// Netlify has the form of Cloudflare.
test.each(["cloudflare", "vercel", "none"] as const)(
  "%s sends every page with its headers, and what is named by its content for ever",
  async (host) => {
    const served = await servedAs(host);
    for (const path of PAGES) {
      const answer = await fetch(served.url + path);
      expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
      // The policy of the page itself is in the page.
      expect(answer.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
      expect(await answer.text()).toMatch(META_POLICY);
    }
    const asset = await fetch(served.url + styleSheet());
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  },
);

test("with these headers no page complains, search finds, and no page may frame it", async () => {
  const served = await servedAs("cloudflare");
  const { page, errors } = await newReader(browser());
  for (const path of PAGES) await page.goto(served.url + path, { waitUntil: "load" });
  // It leaves at once for a quote that it fetched.
  await page.goto(`${served.url}random/`, { waitUntil: "commit" });
  await page.waitForURL((url) => url.pathname !== "/random/", { waitUntil: "networkidle" });
  await page.goto(`${served.url}search/?q=freedom`, { waitUntil: "networkidle" });
  await page.waitForSelector("main article.quote, main ol li, main .hits li");
  expect(errors).toEqual([]);
  for (const path of ["", "quote/1/"]) {
    expect(await isFramed(served.url + path)).toBe(false);
  }
  expect(await isFramed(`${served.url}embed/1/`)).toBe(true);
});

test.each(["none", "github-pages", "cloudflare", "netlify", "vercel", "gitlab", "s3"] as const)(
  "a page of another origin reads the API, feeds, calendar and oEmbed of %s",
  async (host) => {
    const served = await servedAs(host);
    const other = await serveFolder(folderWith({ "index.html": "<title>Other</title>" }));
    const page = await browser().newPage();
    await page.goto(other.url);
    const paths = ["api/v1/tags.json", "feed.xml", "today/atom.xml", "language/en/feed.json"];
    const more = ["today/calendar.ics", "embed/1/oembed.json", "api/v1/nowhere.json"];
    const statuses = await page.evaluate(
      (urls) => Promise.all(urls.map(async (url) => (await fetch(url)).status)),
      [...paths, ...more].map((path) => served.url + path),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 404]);
  },
);

/** Whether a page of another origin can show an address in a frame. */
async function isFramed(url: string): Promise<boolean> {
  const other = await serveFolder(folderWith({ "index.html": `<iframe src="${url}"></iframe>` }));
  const page = await browser().newPage();
  await page.goto(other.url, { waitUntil: "networkidle" });
  return (await page.frames().at(-1)?.content())?.includes("Commonplace") ?? false;
}

test("a page to embed is 10 kB at most with all it asks for, votes on nothing, and thanks the service", async () => {
  const served = await servedAs("cloudflare");
  const page = await browser().newPage();
  let bytes = 0;
  const read: Promise<unknown>[] = [];
  page.on("response", (response) =>
    read.push(response.body().then((body) => (bytes += body.length))),
  );
  await page.goto(`${served.url}embed/today/`, { waitUntil: "networkidle" });
  await Promise.all(read);
  expect(bytes).toBeLessThan(10_000);
  expect(await page.locator("script, form, vote-box").count()).toBe(0);
  expect(await page.locator("footer a[data-attribution]").isVisible()).toBe(true);
  const quoted = await page.locator("article.quote").getAttribute("data-pk");
  await page.goto(`${served.url}today/`);
  expect(await page.locator("article.quote").first().getAttribute("data-pk")).toBe(quoted);
});

test("the audit of another day finds nothing: the quote of the day is that of the build", async () => {
  const settings = site.settings({ cards: 40, host: "cloudflare" });
  expect((await site.audit({ ...settings, date: "2031-03-04" })).findings).toEqual([]);
});

test("a quote's page leads to what others need to embed it", async () => {
  const served = await servedAs("none");
  const page = await browser().newPage();
  await page.goto(`${served.url}quote/1/`);
  const link = page.locator('link[type="application/json+oembed"]');
  const path = new URL((await link.getAttribute("href")) ?? "").pathname;
  const card = (await (await fetch(served.url + path.slice(1))).json()) as { html: string };
  const [, src = ""] = /<iframe src="https:\/\/quotes\.example\/([^"]+)"/.exec(card.html) ?? [];
  await page.goto(served.url + src);
  expect(await page.locator("#q1 blockquote").isVisible()).toBe(true);
});

test("the frame of an embedded quote is as high as the quote, or two lines higher in a narrow typeface", async () => {
  const served = await servedAs("none");
  const page = await browser().newPage();
  const inEachSize = [1, 12, 251, 257, 277, 285, 891, 928, 949, 971, 976, 977];
  for (const id of inEachSize) {
    const answer = await fetch(`${served.url}embed/${id}/oembed.json`);
    const { width, height } = (await answer.json()) as { width: number; height: number };
    await page.setViewportSize({ width, height });
    await page.goto(`${served.url}embed/${id}/`);
    const is = await page.evaluate(() => document.body.offsetHeight);
    expect(height - is, `quote ${id}`).toBeGreaterThanOrEqual(0);
    expect(height - is, `quote ${id}`).toBeLessThanOrEqual(60);
  }
});

test("hosts that know no headers get no file of them, and a host's files go when the host does", async () => {
  await servedAs("cloudflare");
  expect(readFileSync(join(site.outDir, "_headers"), "utf8")).toMatch(/^# Made by .*\n\/\*\n/);
  for (const host of ["github-pages", "gitlab", "s3"] as const) {
    const served = await servedAs(host);
    expect((await fetch(served.url)).headers.get("content-security-policy")).toBeNull();
  }
  for (const name of ["_headers", "_redirects", "vercel.json"]) {
    expect(() => readFileSync(join(site.outDir, name))).toThrow("ENOENT");
  }
});

function styleSheet(): string {
  const html = readFileSync(join(site.outDir, "index.html"), "utf8");
  return /\/(_astro\/[^"]+\.css)"/.exec(html)?.[1] ?? "";
}
