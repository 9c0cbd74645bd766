/** What a reader meets: nothing that moves; light and dark; paper and forced colours; the keyboard alone. */
// @module-tag sized
import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readSite, inChromium, watchShifts } from "../support/browser/index.ts";
import { drawn } from "../support/tier.ts";

const { url, reading } = readSite();

const PAGES = [
  ["language/en/", 2, 0],
  // On a busy machine a word of this page once moved by 0.0004. The cause is not known.
  ["language/tr/", 2, 0.001],
  // A script that the machine lacks must arrive, however late: its words are then as wide as they are.
  ["language/ru/", 2, 0.02],
  ["language/ar/", 2, 0.02],
  ["language/be/", 2, 0.02],
] as const;

// A script that the machine lacks stands for all in the first tier.
test.concurrent.for(drawn(PAGES.toReversed(), 1))(
  "/%s is set in at most %d fonts, and moves by at most %d when they or scripts are late",
  async ([path, most, movement], { expect }) => {
    await reading({}, async (page) => {
      const fonts = new Set<string>();
      const late = async (route: Route): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, 600));
        await route.continue();
      };
      await page.route("**/*.js", late);
      await page.route("**/*.woff2", (route) => {
        fonts.add(route.request().url());
        return late(route);
      });
      const shifted = await watchShifts(page);
      await page.goto(url() + path, { waitUntil: "networkidle" });
      await expect.poll(() => fonts.size).toBeGreaterThan(0);
      await page.waitForFunction(() => document.fonts.status === "loaded");
      await page.waitForTimeout(200);
      expect(await shifted()).toBeLessThanOrEqual(movement);
      expect(fonts.size).toBeLessThanOrEqual(most);
    });
  },
);

/** The parts of a page whose text is seen, each once. */
const seenOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const parts = {
      quote: "article.quote blockquote",
      author: 'article.quote a[href*="/author/"]',
      attribution: "[data-attribution]",
      title: ".masthead .title",
      heading: "main > header",
    };
    const seen = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || node.nodeValue?.trim() === "") continue;
      const { width, height } = element.getBoundingClientRect();
      if (!element.checkVisibility() || width <= 1 || height <= 1) continue;
      const part = Object.entries(parts).find(([, selector]) => element.closest(selector) !== null);
      seen.add(part?.[0] ?? element.outerHTML);
    }
    return [...seen].sort();
  });

inChromium.concurrent(
  "a page on paper is quotes, their authors and the attribution, under a heading",
  { tags: "long" },
  async ({ expect }) => {
    await reading({}, async (page) => {
      for (const path of ["language/en/", "language/ar/", "tag/rights/", "author/william-blake/"]) {
        await page.goto(url() + path);
        await page.emulateMedia({ media: "print" });
        // An author's own page names the author in its heading alone.
        const named = path.startsWith("author/") ? [] : ["author"];
        const seen = ["attribution", ...named, "heading", "quote", "title"];
        expect(await seenOn(page), path).toEqual(seen);
        const [paper, ink] = await page.evaluate(() => [
          getComputedStyle(document.documentElement).backgroundColor,
          getComputedStyle(document.body).color,
        ]);
        expect([paper, ink]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
        const address = await page.locator("[data-attribution]").evaluate((link) => {
          const { direction, unicodeBidi } = getComputedStyle(link, "::after");
          return [direction, unicodeBidi];
        });
        expect(address, path).toEqual(["ltr", "isolate"]);
        // Also on a sheet as wide as a window.
        const beside = await page.locator("article.quote blockquote").evaluateAll(
          (quotes) =>
            quotes.filter((quote) => {
              const by = quote.closest("article")?.querySelector(".by");
              if (by?.checkVisibility() !== true) return false;
              return by.getBoundingClientRect().top < quote.getBoundingClientRect().bottom;
            }).length,
        );
        expect(beside, path).toBe(0);
      }
      for (const path of ["", "favourites/"]) {
        await page.goto(url() + path);
        expect(await page.locator(":is(button, input, label, .how, .ways):visible").count()).toBe(
          0,
        );
      }
    });
  },
);

describe("light and dark", () => {
  const paper = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  const windowColours = (page: Page) =>
    page.$$eval("meta[name=theme-color]", (all) => all.map((meta) => meta.getAttribute("content")));

  test("a choice is kept, and applies before the body is parsed", async () => {
    await reading({ colorScheme: "light" }, async (page) => {
      await page.goto(url());
      const light = await paper(page);
      const own = await windowColours(page);
      expect(new Set(own).size).toBe(2);
      await page.selectOption("#scheme", "dark");
      const dark = await paper(page);
      expect(dark).not.toBe(light);
      expect(await windowColours(page)).toEqual([dark, dark]);
      // What the root says when the first element of the body is parsed: before anything can be painted.
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (document.body === null) return;
          Object.assign(window, { schemeAtFirst: document.documentElement.dataset["scheme"] });
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(`${url()}tags/`);
      expect(
        await page.evaluate(() => (window as unknown as { schemeAtFirst: string }).schemeAtFirst),
      ).toBe("dark");
      expect(await paper(page)).toBe(dark);
      const tab = await page.context().newPage();
      await tab.goto(url());
      await page.selectOption("#scheme", "");
      expect(await paper(page)).toBe(light);
      expect(await windowColours(page)).toEqual(own);
      await expect.poll(() => paper(tab)).toBe(light);
      // What a browser says of a page from its back-forward cache, which gets no storage events.
      await tab.evaluate(() => {
        localStorage.setItem("scheme", "dark");
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      });
      expect([await paper(tab), await tab.inputValue("#scheme")]).toEqual([dark, "dark"]);
    });
  });

  inChromium(
    "without JavaScript the system decides, and no dead switch is shown",
    { tags: "long" },
    async () => {
      const papers = [];
      for (const colorScheme of ["light", "dark"] as const) {
        papers.push(
          await reading({ colorScheme, javaScriptEnabled: false }, async (page) => {
            await page.goto(url());
            expect(await page.locator("#scheme").isVisible()).toBe(false);
            await page.click("nav a[href$='/authors/']");
            await page.waitForURL("**/authors/");
            expect(await page.locator("h1").textContent()).toBe("Authors");
            return (await page.screenshot()).subarray(0, 4_000).toString("base64");
          }),
        );
      }
      expect(papers[0]).not.toBe(papers[1]);
    },
  );
});

test("the keyboard alone reaches the text, every link and the switch, and each shows where it is, in forced colours too", async () => {
  await reading({ forcedColors: "active" }, async (page) => {
    await page.goto(`${url()}language/ar/`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("skip");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("text");
    const focusable = await page.locator("a:visible, summary:visible, select:visible").count();
    await page.goto(`${url()}language/ar/`);
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
