/**
 * What means harm, in a real browser: upstream text cannot run, leave its card, or widen the page; and a theme cannot hide
 * the attribution without being found out.
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { VIEWS } from "../../src/commands/browser-audit.ts";
import { faultsOf, HIDDEN, HIDDEN_SOMEWHERE, PHONE, TEMPLATES, withRule } from "./attribution.ts";
import { serveFolder, useBrowser, type Served } from "../support/browser/index.ts";
import { buildSite, type BuiltSite } from "../support/built/index.ts";
import { BIDI_TEXT, HOSTILE, siteQuotes, STACKED_TEXT } from "../support/snapshot/index.ts";

const quotes = siteQuotes();
const idOf = (text: string): number => quotes.find((quote) => quote.text === text)?.id ?? 0;

describe.each(["folio", "press", "night-reader"])("%s", (theme) => {
  const browser = useBrowser();
  let site: BuiltSite;
  let served: Served;
  let page: Page;
  const ran: string[] = [];

  beforeAll(async () => {
    site = await buildSite({ quotes }, { SITE_THEME: theme });
    served = await serveFolder(site.outDir);
    page = await browser().newPage({ viewport: { width: 320, height: 640 } });
    page.on("dialog", (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => ran.push(error.message));
  });

  const PATHS = [
    ...HOSTILE.map((text) => `quote/${idOf(text)}/`),
    "tags/",
    "authors/",
    "language/en/3/",
    "",
  ];

  test.each(PATHS)(
    "/%s runs nothing, fits the window, and has an attribution to click",
    async (path) => {
      await page.goto(served.url + path);
      expect(ran).toEqual([]);
      expect(await page.locator("img[src='x']").count()).toBe(0);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      const link = page.locator("footer [data-attribution]");
      await link.scrollIntoViewIfNeeded();
      // Refuses when another element would get the click.
      await link.click({ trial: true });
    },
  );

  test("the attribution can be seen on every template, and in every view", async () => {
    expect(await faultsOf(browser(), site.outDir, TEMPLATES, PHONE.slice(1, 2))).toEqual([]);
    const others = VIEWS.filter((view) => view !== PHONE[1]);
    expect(await faultsOf(browser(), site.outDir, ["/language/ar/"], others)).toEqual([]);
  });

  const leaving = theme === "folio" ? ["/random/"] : [];
  test.for(leaving)(
    "%s, which leaves while it is looked at, is judged where it leads",
    async (path) => {
      const often = Array<string>(3).fill(path);
      expect(await faultsOf(browser(), site.outDir, often, PHONE.slice(0, 1))).toEqual([]);
    },
  );

  const themes = theme === "folio" ? HIDDEN : [];
  test.concurrent.for(themes)("a theme that %s is found out", async ([, css, fault]) => {
    const copy = withRule(site.outDir, css);
    const faults = await faultsOf(browser(), copy, ["/about/"], VIEWS.slice(0, 1));
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  const somewhere = theme === "folio" ? HIDDEN_SOMEWHERE : [];
  test.concurrent.for(somewhere)(
    "a theme with %s is found out where it shows",
    async ([css, good, bad]) => {
      const [view = { scheme: "light", width: 320, scripts: true }] = VIEWS;
      const views = [good, bad].map((difference) => ({ ...view, ...difference }));
      const copy = withRule(site.outDir, css);
      expect(await faultsOf(browser(), copy, ["/about/"], views)).toHaveLength(1);
    },
  );

  test("marks stacked on a letter paint nothing outside of the card", async () => {
    await page.goto(`${served.url}quote/${idOf(STACKED_TEXT)}/`);
    // A face that comes late moves the footer.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const clip = await page.evaluate(() => {
      const footer = document.querySelector("footer")?.getBoundingClientRect();
      return { x: 0, y: (footer?.y ?? 0) + scrollY - 8, width: 320, height: footer?.height ?? 0 };
    });
    const shown = await page.screenshot({ clip, fullPage: true });
    await page.evaluate(() => document.querySelector("blockquote")?.replaceChildren("Zalgo"));
    const y = await page.evaluate(
      () => (document.querySelector("footer")?.getBoundingClientRect().y ?? 0) + scrollY - 8,
    );
    const calm = await page.screenshot({ clip: { ...clip, y }, fullPage: true });
    expect(shown.equals(calm)).toBe(true);
  });

  test("a direction left open does not turn the words after it", async () => {
    const id = idOf(BIDI_TEXT);
    await page.goto(`${served.url}quote/${id}/`);
    // In left-to-right text the first letter of the footer's link is left of its last.
    const places = await page.evaluate(() => {
      const text = document.querySelector("[data-attribution]")?.firstChild;
      if (!(text instanceof Text)) return [];
      return [0, text.length - 1].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().x;
      });
    });
    expect(places[0]).toBeLessThan(places[1] ?? 0);
  });
});
