/** What happens when a page is read: nothing refused by its policy, nothing fetched elsewhere, nothing that moves. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, serveFolder, type Served } from "../support/browser.ts";
import { buildSite, type BuiltSite } from "../support/build-site.ts";
import { siteQuotes } from "../support/site-quotes.ts";

const BASE = "/sub/";
let browser: Browser;
let site: BuiltSite;
let served: Served;

beforeAll(async () => {
  site = await buildSite({ quotes: siteQuotes() }, { SITE_BASE: BASE });
  [browser, served] = await Promise.all([launchBrowser(), serveFolder(site.outDir, BASE)]);
});
afterAll(async () => {
  await browser.close();
  await served.close();
  site.remove();
});

/** Opens a page in a window of its own and closes it after. */
async function reading<T>(
  options: BrowserContextOptions,
  read: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await read(await context.newPage());
  } finally {
    await context.close();
  }
}

const PAGES = [
  "",
  "today/",
  "language/en/",
  "language/ar/",
  "language/be/",
  "tag/rights/",
  "about/",
];

test.each(PAGES)("/%s breaks no policy and asks nobody else", async (path) => {
  await reading({}, async (page) => {
    const said: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(error.message));
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(served.url + path, { waitUntil: "networkidle" });
    expect(said).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(served.url))).toEqual([]);
    expect(await page.locator("meta[http-equiv]").getAttribute("content")).not.toContain("unsafe");
  });
});

test.each([
  ["language/en/", 2],
  ["language/ru/", 2],
  ["language/tr/", 2],
  ["language/ar/", 2],
  ["language/be/", 2],
])("/%s is set in at most %d fonts, and nothing moves when they are late", async (path, most) => {
  await reading({}, async (page) => {
    const fonts = new Set<string>();
    await page.route("**/*.woff2", async (route) => {
      fonts.add(route.request().url());
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(served.url + path, { waitUntil: "networkidle" });
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual(
      [],
    );
    expect(fonts.size).toBeGreaterThan(0);
    expect(fonts.size).toBeLessThanOrEqual(most);
  });
});

describe("light and dark", () => {
  const paper = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  test("a choice is kept, and stands before the body is there", async () => {
    await reading({ colorScheme: "light" }, async (page) => {
      await page.goto(served.url);
      const light = await paper(page);
      await page.selectOption("#scheme", "dark");
      const dark = await paper(page);
      expect(dark).not.toBe(light);
      // What the root says when the first element of the body is parsed: before anything can be painted.
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (document.body === null) return;
          Object.assign(window, { schemeAtFirst: document.documentElement.dataset["scheme"] });
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(`${served.url}tags/`);
      expect(
        await page.evaluate(() => (window as unknown as { schemeAtFirst: string }).schemeAtFirst),
      ).toBe("dark");
      expect(await paper(page)).toBe(dark);
      await page.selectOption("#scheme", "");
      expect(await paper(page)).toBe(light);
    });
  });

  test("without JavaScript the system decides, and no dead switch is shown", async () => {
    const papers = [];
    for (const colorScheme of ["light", "dark"] as const) {
      papers.push(
        await reading({ colorScheme, javaScriptEnabled: false }, async (page) => {
          await page.goto(served.url);
          expect(await page.locator("#scheme").isVisible()).toBe(false);
          await page.click("nav a[href$='/authors/']");
          expect(await page.locator("h1").textContent()).toBe("Authors");
          return (await page.screenshot()).subarray(0, 4_000).toString("base64");
        }),
      );
    }
    expect(papers[0]).not.toBe(papers[1]);
  });
});

test("the keyboard alone reaches the text, every link and the switch, and each shows where it is", async () => {
  await reading({}, async (page) => {
    await page.goto(`${served.url}language/ar/`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("skip");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("text");
    const focusable = await page.locator("a:visible, summary:visible, select:visible").count();
    await page.goto(`${served.url}language/ar/`);
    const reached = new Set<string>();
    for (let press = 0; press < focusable + 2; press++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const rect = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const isSkip = element.className === "skip";
        return {
          place: `${rect.x},${rect.y + scrollY}`,
          seen: isSkip || style.outlineStyle !== "none",
        };
      });
      if (at === null) break;
      expect(at.seen).toBe(true);
      reached.add(at.place);
    }
    expect(reached.size).toBeGreaterThanOrEqual(focusable);
  });
});
