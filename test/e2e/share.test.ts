/** Sharing a quote and keeping it, with what a browser offers. */
// @module-tag long
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serveFolder, useBrowser } from "../support/browser/index.ts";
import { buildSite } from "../support/built/index.ts";
import { folderWith } from "../support/run/index.ts";

const TEXT = "Was ist «das» & was %2F 'nicht'? #1 אב";
const quotes = [
  { id: 1, text: TEXT, author: "A & B <c>", language: "de" },
  { id: 2, text: "x".repeat(3_000), author: null, language: "en" },
];
const SITE_URL = "https://quotes.example";
const browser = useBrowser();

test("a quote's own page shares it by plain links, without a script", async () => {
  const { outDir } = await buildSite({ quotes }, { SITE_URL });
  const served = await serveFolder(outDir);
  const context = await browser().newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${served.url}quote/1/`);
  expect(await page.locator("nav[aria-label=Teilen]").innerText()).toMatch(/^Teilen:/);
  const links = page.locator("nav.switch a[rel~=nofollow]");
  expect(await links.allTextContents()).toEqual([
    "E-Mail",
    "Mastodon",
    "WhatsApp",
    "Telegram",
    "X",
  ]);
  await links.first().waitFor();
  const hrefs = await links.evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? ""));
  const link = `${SITE_URL}/quote/1/`;
  for (const href of hrefs) {
    expect(href).toMatch(/^[!-~]+$/);
    const said = decodeURIComponent(href);
    expect(said, href).toContain(`${TEXT} — A & B <c>`);
    expect(said).toContain(link);
  }
  const [mail = "", mastodon = "", whatsApp = "", telegram = "", x = ""] = hrefs;
  expect(new URL(mail).searchParams.get("body")).toBe(`${TEXT} — A & B <c>\n${link}`);
  expect(mastodon.startsWith("https://share.joinmastodon.org/#text=")).toBe(true);
  expect(new URL(whatsApp).searchParams.get("text")).toContain(TEXT);
  expect(new URL(telegram).searchParams.get("url")).toBe(link);
  expect(new URL(x).searchParams.get("url")).toBe(link);
});

test("site/config.ts names the services, or none", async () => {
  const linksOf = async (share: unknown): Promise<string[]> => {
    const SITE_DIR = folderWith({ "config.ts": `export default ${JSON.stringify({ share })};` });
    const { outDir } = await buildSite({ quotes }, { SITE_URL, SITE_DIR });
    const html = readFileSync(join(outDir, "quote/2/index.html"), "utf8");
    return [...html.matchAll(/href="([^"]+)" rel="nofollow noopener"/g)].map(
      ([, href = ""]) => href,
    );
  };
  expect(await linksOf([])).toEqual([]);
  const own = { label: "Ours", href: "https://social.example/share?text={text}%20{url}" };
  const [first = "", ...more] = await linksOf([own]);
  expect(more).toEqual([]);
  expect(first.startsWith("https://social.example/share?text=xxx")).toBe(true);
  expect(first.endsWith("%20https%3A%2F%2Fquotes.example%2Fquote%2F2%2F")).toBe(true);
  expect(first.length).toBeLessThan(400);
});

test("the first kept quote asks the browser to keep the list, and the page says that it may go", async () => {
  const { outDir } = await buildSite({ quotes }, { SITE_URL });
  const served = await serveFolder(outDir);
  const context = await browser().newContext();
  const page = await context.newPage();
  // Only people see what a browser decides.
  await page.addInitScript(() => {
    const asked = () => Number(sessionStorage.getItem("asked") ?? 0);
    StorageManager.prototype.persist = () => {
      sessionStorage.setItem("asked", String(asked() + 1));
      return Promise.resolve(false);
    };
  });
  await page.goto(`${served.url}favourites/`);
  expect(await page.locator(".may-go").isVisible()).toBe(false);
  for (const id of [1, 2]) {
    await page.goto(`${served.url}quote/${id}/`);
    await page.locator('article.quote [data-act="keep"]').click();
    await page.waitForFunction(() => document.querySelector("#page-status")?.textContent !== "");
  }
  expect(await page.evaluate(() => sessionStorage.getItem("asked"))).toBe("1");
  await page.goto(`${served.url}favourites/`);
  await page.locator(".may-go").waitFor();
  expect(await page.locator(".export").isVisible()).toBe(true);
});

test("where the scripts of a page cannot be loaded, no button of it is dead", async () => {
  const { outDir } = await buildSite({ quotes }, { SITE_URL });
  const served = await serveFolder(outDir);
  const context = await browser().newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(`${served.url}quote/1/`, { waitUntil: "networkidle" });
  const live = page.locator(":is(.acts, .do) button:enabled");
  await expect.poll(() => live.count()).toBeGreaterThan(1);
  await page.route("**/_astro/**/*.js", (route) => route.abort());
  await page.route("**/_astro/*.js", (route) => route.abort());
  await page.goto(`${served.url}quote/1/`, { waitUntil: "networkidle" });
  // A vote is a form, which needs no script.
  expect(await page.locator("button:enabled:visible:not([form])").count()).toBe(0);
});
