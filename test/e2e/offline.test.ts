/** What stays readable without a connection, in a real browser below a base path; and that nothing stale is ever shown with one. */
// @module-tag sized
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, extname, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { indexSite } from "../../src/search/index-site.ts";
import { buildSubSite, type BuiltSite } from "../support/built/index.ts";
import {
  inChromium,
  pageErrors,
  serveFolder,
  type Served,
  useBrowser,
} from "../support/browser/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";
import { drawn } from "../support/tier.ts";

const BASE = "/sub/";
let site: BuiltSite;
const browser = useBrowser();
let served: Served;
let context: BrowserContext;
let page: Page;

// Tests change files of the site: each has a copy of its own.
beforeEach(async () => {
  site = await buildSubSite();
  served = await serveFolder(site.outDir, BASE);
  context = await browser().newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

const open = (path: string) => page.goto(served.url + path);
const heading = () => page.locator("h1").first().textContent();

/** Opens the first page, and waits until the worker has all that it keeps from the start. */
async function visit(): Promise<void> {
  await open("");
  await page.evaluate(async () => {
    const { active, installing, waiting } = await navigator.serviceWorker.ready;
    const worker = active ?? waiting ?? installing;
    if (worker?.state === "activated") return;
    await new Promise((resolve) => worker?.addEventListener("statechange", resolve));
  });
}

/** Changes a file of the site, as a later build does. */
function change(path: string, what: string | RegExp, by: string): void {
  const file = join(site.outDir, path);
  const before = readFileSync(file, "utf8");
  const after = before.replace(what, by);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

/** Waits until a visited page is kept: the worker keeps it after it was shown. */
async function isKept(path: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async (url) => (await caches.match(url)) !== undefined, served.url + path),
    )
    .toBe(true);
}

test(
  "what a search loaded answers it without a connection, and the oldest of 5 MB go",
  { tags: "long" },
  async () => {
    await indexSite({ ...site, curated: null, names: { author: [], tag: [] } });
    await visit();
    const [first] = siteQuotes();
    const query = (first?.text ?? "").split(" ").slice(0, 3).join(" ");
    const ask = async (): Promise<string | null> => {
      await open(`search/?${new URLSearchParams({ q: query }).toString()}`);
      await page.waitForSelector(".found[aria-busy=false] > li");
      return page.locator(".found blockquote").first().textContent();
    };
    const answer = await ask();
    await isKept("search/");
    const kept = () =>
      page.evaluate(async () => {
        const name = (await caches.keys()).find((key) => key.includes("searches")) ?? "";
        const cache = await caches.open(name);
        return (await cache.keys()).map(({ url }) => url);
      });
    await expect
      .poll(async () => (await kept()).some((url) => url.includes("fragment")))
      .toBe(true);
    await context.setOffline(true);
    expect(await ask()).toBe(answer);
    await context.setOffline(false);
    // Three files of 2 MB: the first of them goes, and so does what was there before.
    const files = [1, 2, 3].map((at) => `pagefind/large-${at}.bin`);
    for (const file of files) {
      writeFileSync(join(site.outDir, file), Buffer.alloc(2_000_000));
      await page.evaluate(async (url) => (await fetch(url)).blob(), served.url + file);
      await isKept(file);
    }
    await expect.poll(kept).toEqual(files.slice(1).map((file) => served.url + file));
  },
);

test(
  "after one visit home, today, favourites and visited listings open without a connection",
  { tags: "long" },
  async () => {
    const errors = pageErrors(page);
    await visit();
    await open("language/en/");
    const title = await heading();
    await isKept("language/en/");
    await open("language/be/");
    await isKept("language/be/");
    await open("about/");
    await served.close();
    await open("language/en/");
    expect(await heading()).toBe(title);
    expect(await page.locator("article.quote").count()).toBeGreaterThan(10);
    await open("");
    expect(await page.locator("article.quote").count()).toBeGreaterThan(1);
    await page.locator('article.quote [data-act="keep"]').first().click();
    const letters = () => {
      const faces = [...document.fonts].filter(({ family }) => family.includes("Letters"));
      return Promise.all(faces.map((face) => face.load().then(({ status }) => status)));
    };
    expect(new Set(await page.evaluate(letters))).toEqual(new Set(["loaded"]));
    await open("today/");
    expect(new Set(await page.evaluate(letters))).toEqual(new Set(["loaded"]));
    expect(await page.locator("article.quote").count()).toBeGreaterThan(10);
    await open("favourites/");
    const [book] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("quote-favourites .book").click(),
    ]);
    expect(book.suggestedFilename()).toBe("favourites.epub");
    const rules = () =>
      [...document.styleSheets].map(({ href, cssRules }) => (href === null ? 0 : cssRules.length));
    expect(Math.max(...(await page.evaluate(rules)))).toBeGreaterThan(1);
    await open("tags/");
    const kept = page.locator("#kept-pages a");
    await kept.filter({ hasText: title ?? "-" }).waitFor();
    await page.getByText("These are:").waitFor();
    // The names of pages are in the typefaces that came with these.
    const isBengaliLoaded = () =>
      [...document.fonts].some(
        ({ family, status }) => /bengali/i.test(family) && status === "loaded",
      );
    await expect.poll(() => page.evaluate(isBengaliLoaded)).toBe(true);
    expect(errors).toEqual([]);
  },
);

test(
  "the page that a first visit began with opens without a connection, too",
  { tags: "long" },
  async () => {
    await open("language/en/");
    const title = await heading();
    await isKept("language/en/");
    await served.close();
    await open("language/en/");
    expect(await heading()).toBe(title);
  },
);

test("where no page is kept, none is announced", async () => {
  const plain = await browser().newContext({ serviceWorkers: "block" });
  const offline = await plain.newPage();
  await offline.goto(`${served.url}offline/`);
  await offline.waitForLoadState("networkidle");
  expect(await offline.getByText("is not kept on your device").isVisible()).toBe(true);
  expect(await offline.getByText("These are:").isVisible()).toBe(false);
  await plain.close();
});

test("with a connection a page is never stale", async () => {
  await visit();
  await open("today/");
  change("today/index.html", /<h1[^>]*>/, "$&Anew: ");
  await open("today/");
  expect(await heading()).toContain("Anew: ");
});

test(
  "a page that is gone, or of another site below this one, is not kept",
  { tags: "long" },
  async () => {
    await visit();
    await open("tags/");
    await isKept("tags/");
    rmSync(join(site.outDir, "tags"), { recursive: true });
    cpSync(join(site.outDir, "about"), join(site.outDir, "other"), { recursive: true });
    change("other/index.html", '"/sub/manifest', '"/sub/other/manifest');
    for (const path of ["tags/", "other/", "about/"]) await open(path);
    await isKept("about/");
    const kept = () =>
      page.evaluate(
        (urls) => Promise.all(urls.map(async (url) => (await caches.match(url)) !== undefined)),
        ["tags/", "other/"].map((path) => served.url + path),
      );
    await expect.poll(kept).toEqual([false, false]);
  },
);

/** A host that answers for what it does not have with its home page, and status 200. */
async function serveAnything(): Promise<string> {
  const types: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(BASE, "").replace(/(^|\/)$/, "$1index.html");
    const file = join(site.outDir, path);
    const there = existsSync(file) ? file : join(site.outDir, "index.html");
    response.setHeader("Content-Type", types[extname(there)] ?? "text/html");
    response.end(readFileSync(there));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close(() => undefined).closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
}

test.each(drawn(["_astro/late.js", "icon.svg", "_astro/late.css", "_pictures/late.png"], 2))(
  "a page that a host sends in the place of %s is not kept as that file",
  { tags: "long" },
  async (path) => {
    const url = await serveAnything();
    rmSync(join(site.outDir, path), { force: true });
    served = { ...served, url };
    await visit();
    const read = () => page.evaluate(async (address) => (await fetch(address)).text(), url + path);
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    // One that an earlier worker kept is not shown either.
    const poisoned = { name: `commonplace-assets:${BASE}`, address: url + path };
    await page.evaluate(async ({ name, address }) => {
      const cache = await caches.open(name);
      await cache.put(address, new Response("<p>", { headers: { "Content-Type": "text/html" } }));
    }, poisoned);
    expect(await read()).toContain("<!DOCTYPE html>");
    mkdirSync(dirname(join(site.outDir, path)), { recursive: true });
    writeFileSync(join(site.outDir, path), "/* arrived */");
    expect(await read()).toBe("/* arrived */");
  },
);

inChromium(
  "where storage is full, what was kept before can still be read",
  { tags: "long" },
  async () => {
    await visit();
    const { origin } = new URL(served.url);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    await open("");
    await open("today/");
    await served.close();
    for (const path of ["", "today/"]) {
      await open(path);
      expect(await page.locator("article.quote").count(), path).toBeGreaterThan(1);
    }
  },
);

inChromium(
  "an update of the worker takes over on the next visit, and keeps the new pages",
  { tags: "long" },
  async () => {
    await visit();
    change("sw.js", /"day":"[^"]+"/, '"day":"2030-01-01"');
    change("favourites/index.html", /<h1[^>]*>/, "$&Anew: ");
    const taken = page
      .context()
      .waitForEvent("serviceworker")
      .then((other) => other.evaluate("SITE.day"));
    await open("about/");
    expect(await taken).toBe("2030-01-01");
    const state = () =>
      page.evaluate(async () => {
        const { installing, waiting, active } = await navigator.serviceWorker.ready;
        return [installing?.state, waiting?.state, active?.state];
      });
    await expect.poll(state).toEqual([undefined, undefined, "activated"]);
    await served.close();
    await open("favourites/");
    expect(await heading()).toContain("Anew: ");
  },
);

test(
  "a site that wants no worker any more is rid of it after the next visit",
  { tags: "long" },
  async () => {
    await visit();
    change("sw.js", '"isWanted":true', '"isWanted":false');
    await open("about/");
    const left = () =>
      page.evaluate(async () => {
        const known = await navigator.serviceWorker.getRegistrations();
        return [known.length, (await caches.keys()).length];
      });
    await expect.poll(left).toEqual([0, 0]);
  },
);

test("the site can be installed: its manifest and icons are as browsers want them", async () => {
  const manifest = JSON.parse(readFileSync(join(site.outDir, "manifest.webmanifest"), "utf8")) as {
    start_url: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.start_url).toBe(BASE);
  await open("");
  for (const { src, sizes } of manifest.icons.filter(({ sizes }) => sizes !== "any")) {
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect(size).toBe(sizes);
  }
  const ico = readFileSync(join(site.outDir, "favicon.ico"));
  expect([...ico.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(ico.subarray(22, 26).toString("latin1")).toBe("\u0089PNG");
});
