/** What a reader does with a page: turns the light on, reads without JavaScript, goes by keyboard alone. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readSite } from "../support/browser/index.ts";

const { url, reading } = readSite("/");

describe("light and dark", () => {
  const paper = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  test("a choice is kept, and applies before the body is parsed", async () => {
    await reading({ colorScheme: "light" }, async (page) => {
      await page.goto(url());
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
      await page.goto(`${url()}tags/`);
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
  });
});

test("the keyboard alone reaches the text, every link and the switch, and each shows where it is", async () => {
  await reading({}, async (page) => {
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
