/** Copying, keeping, keys, chance, and links that moved, in a real browser below a base path. */
import AxeBuilder from "@axe-core/playwright";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildSite, type BuiltSite } from "../support/build-site.ts";
import { launchBrowser, serveFolder, type Served } from "../support/browser.ts";
import { newReader, type Reader } from "../support/find-reader.ts";
import { siteQuotes, VERSE } from "../support/site-quotes.ts";

const KEY = "commonplace-favourites:/sub/";
const BLAKE = "author/william-blake/";

let site: BuiltSite;
let served: Served;
let browser: Browser;
let reader: Reader;

beforeAll(async () => {
  site = await buildSite({ quotes: siteQuotes() }, { SITE_BASE: "/sub/" });
  served = await serveFolder(site.outDir, "/sub/");
  browser = await launchBrowser();
});
beforeEach(async () => {
  await reader?.close();
  reader = await newReader(browser);
  await reader.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterAll(async () => {
  await browser.close();
  await served.close();
  site.remove();
});

const open = (path: string) => reader.page.goto(served.url + path);
const clipboard = () => reader.page.evaluate(() => navigator.clipboard.readText());
async function act(name: string): Promise<void> {
  const { page } = reader;
  if (!(await page.isVisible("#card-menu"))) await page.click("article.quote .more");
  await page.click(`[data-act="${name}"]`);
  await page.waitForFunction(() => document.querySelector("#desk-status")?.textContent !== "");
}

test("a quote is copied as text, Markdown, HTML and link", async () => {
  await open(BLAKE);
  await act("text");
  expect(await clipboard()).toBe(`“${VERSE}”\n— William Blake`);
  await act("markdown");
  await expect.poll(clipboard).toContain("> “Tyger Tyger, burning bright,\\\n> In the forests");
  await act("html");
  await expect.poll(clipboard).toContain("<br>In the forests of the night;<br>");
  await act("link");
  await expect.poll(clipboard).toMatch(/\/sub\/quote\/\d+\/$/);
  expect(reader.errors).toEqual([]);
});

test("a quote is kept, listed, exported, brought to another browser, and let go", async () => {
  await open(BLAKE);
  await act("keep");
  await open("favourites/");
  expect(await reader.page.textContent(".found blockquote")).toBe(VERSE);
  const [download] = await Promise.all([
    reader.page.waitForEvent("download"),
    reader.page.click(".export"),
  ]);
  const file = await download.path();
  const other = await newReader(browser);
  await other.page.goto(`${served.url}favourites/`);
  await other.page.setInputFiles("input[type=file]", file);
  await other.page.waitForSelector(".found blockquote");
  expect(await other.page.getAttribute(".found a", "href")).toMatch(/^\/sub\/quote\/\d+\/$/);
  await other.page.click(".found button");
  expect(await other.page.locator(".found li").count()).toBe(0);
  await other.close();
});

test("ten thousand favourites are shown a screen at a time, and one more can be kept", async () => {
  await open("favourites/");
  await reader.page.evaluate((key) => {
    const list = Array.from({ length: 10_000 }, (_, n) => ({
      pk: n + 1_000,
      quote: `Quote ${n} `.repeat(12),
      author: "Somebody",
      lang: "en",
      dir: "ltr",
      path: `/quote/${n + 1_000}/`,
    }));
    localStorage.setItem(key, JSON.stringify(list));
  }, KEY);
  await open(BLAKE);
  await act("keep");
  await open("favourites/");
  expect(await reader.page.locator(".found li").count()).toBe(100);
  expect(await reader.page.textContent(".found blockquote")).toBe(VERSE);
});

test.each([
  ["corrupt", `localStorage.setItem("${KEY}", "{not JSON")`, /could not be read/],
  [
    "full",
    `Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError") }`,
    /full/,
  ],
  [
    "blocked",
    `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("", "SecurityError") } })`,
    /does not let/,
  ],
])("a %s storage is said, and the page goes on", async (_, script, said) => {
  await reader.page.addInitScript(`if (location.pathname.includes("author")) { ${script} }`);
  await open(BLAKE);
  await act("keep");
  await expect.poll(() => reader.page.textContent("#desk-status")).toMatch(said);
  await act("link");
  expect(reader.errors).toEqual([]);
});

test("a file of somebody else's brings nothing in, and no address that leads away", async () => {
  await open("favourites/");
  const upload = (text: string) =>
    reader.page.setInputFiles("input[type=file]", {
      name: "x.json",
      mimeType: "application/json",
      buffer: Buffer.from(text),
    });
  await upload("<html>");
  await expect.poll(() => reader.page.textContent("[role=status]")).toMatch(/no favourites/);
  const kept = { pk: 1, quote: "<img src=x>", author: "x", lang: "en", dir: "ltr" };
  const paths = ["javascript:alert(1)", "//evil.example/", "/author/../../x/#q1", "/quote/1/"];
  await upload(JSON.stringify(paths.map((path, index) => ({ ...kept, pk: index + 1, path }))));
  await reader.page.waitForSelector(".found li");
  expect(
    await reader.page.$$eval(".found a", (links) => links.map((a) => a.getAttribute("href"))),
  ).toEqual(["/sub/quote/1/"]);
});

test("keys move between quotes and copy, and can be switched off", async () => {
  await open("language/en/");
  const { page } = reader;
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(
    await page.evaluate(() => document.activeElement === document.querySelectorAll("article")[1]),
  ).toBe(true);
  await page.keyboard.press("c");
  await expect.poll(clipboard).toContain("—");
  await page.keyboard.press("?");
  await page.click("#keys input");
  await page.click("#keys form button");
  await page.reload();
  await page.keyboard.press("/");
  await page.waitForTimeout(200);
  expect(page.url()).toBe(`${served.url}language/en/`);
});

test("a permalink opens on its quote, also when its page has shifted or is gone", async () => {
  const { page } = reader;
  const [first = ""] = await Promise.all([
    open("language/en/").then(() => page.getAttribute("article.quote", "id")),
  ]);
  const id = (first ?? "").slice(1);
  rmSync(join(site.outDir, "quote", id), { recursive: true });
  for (const path of [`author/william-blake/#q${id}`, `quote/${id}/`, `author/nobody/9/#q${id}`]) {
    await open("about/");
    await open(path);
    await page.waitForFunction((q) => document.querySelector(`#q${q}:target`) !== null, id);
  }
});

test("chance leads to a quote without asking the service", async () => {
  await open("random/");
  await reader.page.waitForURL(/\/sub\/quote\/\d+\/$/);
  expect(await reader.page.locator("article.quote").count()).toBe(1);
});

test("a listing page loads little JavaScript, asks for nothing more, and axe finds nothing", async () => {
  const { page } = reader;
  const scripts: Promise<number>[] = [];
  const others: string[] = [];
  page.on("response", (response) => {
    const type = response.request().resourceType();
    if (type === "script") scripts.push(response.body().then((body) => gzipSync(body).length));
    if (type === "fetch" || type === "xhr") others.push(response.url());
  });
  await open("language/ar/");
  await page.waitForLoadState("networkidle");
  const sizes = await Promise.all(scripts);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6_000);
  expect(others).toEqual([]);
  await page.click("article.quote .more");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test("without JavaScript no control is shown that does nothing", async () => {
  const plain = await newReader(browser, { javaScriptEnabled: false });
  for (const path of ["language/en/", "favourites/", "random/", "today/"]) {
    await plain.page.goto(served.url + path);
    expect(
      await plain.page
        .locator(
          "button:visible:not(form[action] *), input:visible:not(form[action] *), select:visible",
        )
        .count(),
      path,
    ).toBe(0);
  }
  await plain.close();
  expect(readFileSync(join(site.outDir, "random/index.html"), "utf8")).toContain('class="quote"');
});
