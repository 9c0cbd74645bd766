/**
 * "Another one", in a real browser: a file of quotes in the reader's languages, then one navigation a press; within a tag and an
 * author; the row of languages; today's order; without a connection, storage and scripts.
 */
// @module-tag long
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFaults, pageErrors, readSite, watchShifts } from "../support/browser/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";

const japanese = [1, 2, 3].map((n) => ({
  ...{ id: 9_100 + n, author: "夏目漱石", language: "ja", tags: ["猫"] },
  text: `吾輩は猫である。名前はまだ無い。${n}`,
}));
const { url, reading } = readSite([...siteQuotes(), ...japanese]);

const options = { locale: "de-DE", serviceWorkers: "block" } as const;

/** What a page asks for: files of random quotes or of listings, and pages. */
function watch(page: Page) {
  const seen = { files: [] as string[], pages: [] as string[] };
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes("/api/v1/")) seen.files.push(pathname);
  });
  page.on("framenavigated", (frame) => seen.pages.push(new URL(frame.url()).pathname));
  return seen;
}

async function press(page: Page, how: "click" | "key" = "click"): Promise<string> {
  const before = page.url();
  if (how === "click") await page.click("a.another");
  else await page.keyboard.press("r");
  await page.waitForURL((to) => to.href !== before && /\/quote\/\d+\/$/.test(to.pathname));
  await page.locator("article.quote").waitFor();
  return page.url();
}

const languageOfPage = (page: Page) => page.getAttribute("article.quote", "lang");

test("the first press reads one file, each press is one navigation, and no other quote is shown first", async () => {
  // Fifty of its quotes are on the site.
  await reading({ ...options, locale: "ar-EG" }, async (page) => {
    await page.goto(url());
    const seen = watch(page);
    const shown = new Set<string>();
    for (const how of ["click", "key", "click", "key", "click"] as const) {
      shown.add(await press(page, how));
      expect(await languageOfPage(page)).toBe("ar");
    }
    expect(shown.size).toBe(5);
    expect(seen.files).toHaveLength(1);
    expect(seen.files[0]).toMatch(/\/random\/ar-\d\.json$/);
    expect(seen.pages).toHaveLength(5);
  });
});

test("the page after the next press is fetched ahead", async () => {
  await reading(options, async (page) => {
    await page.goto(url());
    await press(page);
    await page.locator('link[rel="prefetch"]').waitFor({ state: "attached" });
    const ahead = await page
      .locator('link[rel="prefetch"]')
      .evaluate((link) => link.getAttribute("href"));
    expect(
      await page.locator("a.another").evaluate((link) => (link as HTMLAnchorElement).href),
    ).toBe(ahead);
    expect(await press(page)).toBe(ahead);
  });
});

test("the page of a random quote is left at once, and shows its own quote to nobody who has scripts", async () => {
  await reading(options, async (page) => {
    const html = await (await fetch(`${url()}random/`)).text();
    const id = /id="(q\d+)"/.exec(html)?.[1] ?? "";
    await page.addInitScript((id) => {
      const look = (): void => {
        if (document.getElementById(id)?.checkVisibility({ visibilityProperty: true }))
          sessionStorage.setItem("wrong", id);
        requestAnimationFrame(look);
      };
      if (location.pathname.endsWith("/random/")) look();
    }, id);
    await page.goto(url());
    await page.goto(`${url()}random/`);
    await page.waitForURL(/\/quote\/\d+\/$/);
    expect(await page.evaluate(() => sessionStorage.getItem("wrong"))).toBeNull();
    await page.goBack();
    expect(page.url()).toBe(url());
  });
});

test.each([
  ["a tag with a file", "tag/dignity/", ".tag a", "/sub/tag/dignity/"],
  ["a tag without one", "tag/tigers/", ".tag a", "/sub/tag/tigers/"],
  ["an author", "author/william-blake/", ".by a", "/sub/author/william-blake/"],
] as const)("within %s only its quotes come", async (_, path, link, href) => {
  const blakes = await (await fetch(url() + path)).text();
  const few = (blakes.match(/<article/g) ?? []).length;
  await reading(options, async (page) => {
    await page.goto(url() + path);
    if (few < 2) return expect(await page.locator("a.another").count()).toBe(0);
    for (let n = 0; n < 3; n++) {
      await press(page);
      const hrefs = await page
        .locator(`article ${link}`)
        .evaluateAll((links) => links.map((a) => a.getAttribute("href")));
      expect(hrefs).toContain(href);
    }
  });
});

test("without JavaScript the link leads to a quote, and the page has the links of today", async () => {
  await reading({ ...options, javaScriptEnabled: false }, async (page) => {
    await page.goto(url());
    await page.click('.onto a[href$="/today/"]');
    expect(await page.locator("article.quote:visible").count()).toBeGreaterThan(10);
    await page.goto(url());
    await page.click("a.another");
    await page.waitForURL("**/random/");
    expect(await page.locator("article.quote").isVisible()).toBe(true);
    await page.goto(url());
    await page.click(".read summary");
    await page.click('.read a[lang="ar"]');
    await page.waitForURL("**/language/ar/");
  });
});

test("without a connection the queue leads on, and an empty one says so", async () => {
  await reading(options, async (page) => {
    await page.goto(url());
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.click("a.another");
    await expect.poll(() => page.textContent("#page-status")).toBe("You are offline");
    expect(page.url()).toBe(url());
    expect(await page.getAttribute("a.another", "aria-busy")).toBe("false");
    await page.unroute("**/api/v1/**");
    await press(page);
    await page.route("**/api/v1/**", (route) => route.abort());
    await press(page);
  });
});

test("where nothing can be stored, each press still opens another quote", async () => {
  await reading(options, async (page) => {
    const errors = pageErrors(page);
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("", "SecurityError");
          },
        });
    });
    await page.goto(url());
    const first = await press(page);
    expect(await press(page)).not.toBe(first);
    await page.goto(`${url()}today/`);
    expect(errors).toEqual([]);
  });
});

describe("the row of languages", () => {
  const pressed = (page: Page) =>
    page.locator(".read [role=group] button[aria-pressed=true]").allTextContents();

  test("has the languages of the browser, and keeps those that the reader chooses", async () => {
    await reading(options, async (page) => {
      await page.goto(url());
      await expect.poll(() => pressed(page)).toEqual(["Deutsch"]);
      expect(await page.locator(".read summary").textContent()).toMatch(/^\+ \d+ languages$/);
      await page.click(".read summary");
      await page.locator('.read li:has(a[lang="ja"]) button').press("Enter");
      await expect.poll(() => pressed(page)).toEqual(["Deutsch", "日本語"]);
      expect(await axeFaults(page)).toEqual([]);
      await page.reload();
      await expect.poll(() => pressed(page)).toEqual(["Deutsch", "日本語"]);
      await page.locator(".read [role=group] button").first().press("Enter");
      await expect.poll(() => pressed(page)).toEqual(["日本語"]);
      for (let n = 0; n < 3; n++) {
        await press(page);
        expect(await languageOfPage(page)).toBe("ja");
      }
      await page.goto(`${url()}today/`);
      const visible = page.locator("article.quote:visible");
      expect(
        await visible.evaluateAll((cards) => cards.map((card) => (card as HTMLElement).lang)),
      ).toEqual(["ja"]);
      await page.click(".others summary");
      expect(await visible.count()).toBeGreaterThan(10);
      expect(await axeFaults(page)).toEqual([]);
    });
  });

  test("holds in other tabs, whose quotes of before no longer wait", async () => {
    await reading({ ...options, locale: "ar-EG" }, async (page) => {
      await page.goto(url());
      await press(page);
      expect(await languageOfPage(page)).toBe("ar");
      const tab = await page.context().newPage();
      await tab.goto(url());
      await tab.click(".read summary");
      await tab.locator('.read li:has(a[lang="ja"]) button').press("Enter");
      await tab.locator(".read [role=group] button").first().press("Enter");
      await expect.poll(() => pressed(tab)).toEqual(["日本語"]);
      await press(page);
      expect(await languageOfPage(page)).toBe("ja");
    });
  });

  test.each([
    ["ar", "العربية"],
    ["be", "বাংলা"],
  ])("says its words in %s, which its reader reads, too", async (code, name) => {
    await reading({ ...options, viewport: { width: 360, height: 740 } }, async (page) => {
      await page.goto(`${url()}${code}/today/`);
      const first = page.locator("article.quote:visible").first();
      expect(await first.getAttribute("lang")).toBe(code === "be" ? "bn" : code);
      await page.goto(`${url()}${code}/`);
      await expect.poll(() => pressed(page)).toEqual([name, "Deutsch"]);
      expect(await page.locator(".read [role=group]").getAttribute("aria-label")).not.toBe(
        "You read",
      );
      expect(await axeFaults(page)).toEqual([]);
    });
  });
});

test.each(["", "today/", "random/"])("/%s moves by at most 0.02", async (path) => {
  await reading({ ...options, viewport: { width: 360, height: 740 } }, async (page) => {
    const shifted = await watchShifts(page);
    await page.goto(url() + path, { waitUntil: "networkidle" });
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });
});
