/** Paper and forced colours: what is left of a page, and that it can still be read and used. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readSite } from "../support/browser/index.ts";

const { url, reading } = readSite("/sub/");

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

test.concurrent.each(["language/en/", "language/ar/", "tag/rights/", "author/william-blake/"])(
  "/%s on paper is quotes, their authors and the attribution, under a heading",
  async (path) => {
    await reading({}, async (page) => {
      await page.goto(url() + path);
      await page.emulateMedia({ media: "print" });
      expect(await seenOn(page)).toEqual(["attribution", "author", "heading", "quote", "title"]);
      const [paper, ink] = await page.evaluate(() => [
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(document.body).color,
      ]);
      expect([paper, ink]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    });
  },
);

test("in forced colours every control has an outline, and focus can be seen", async () => {
  await reading({ forcedColors: "active" }, async (page) => {
    await page.goto(`${url()}language/en/`);
    expect(await page.evaluate(() => matchMedia("(forced-colors: active)").matches)).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement as Element);
      return `${outlineStyle} ${outlineWidth}`;
    });
    expect(outline).toMatch(/^(?:solid|auto) [1-9]/);
  });
});
