/**
 * axe on every kind of page, in three languages, scripts and themes, light and dark. The first tier has a page of each layout,
 * in Arabic; `AXE=all` has all of them there. And what axe does not see: widths, forced colours, motion.
 */
// @module-tag sized
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults, bringAxe, serveFolder, useBrowser } from "../support/browser/index.ts";
import { buildSite } from "../support/built/index.ts";
import { languageOf } from "../../src/contract/languages.ts";
import { addToHistory } from "../../src/report/history.ts";
import { build } from "../report/support.ts";
import { LONG } from "../support/tier.ts";
import { tempFolder } from "../support/run/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";

const LANGUAGES = ["en", "ar", "be"];
const THEMES = ["folio", "press", "night-reader"];
const all = LONG || process.env["AXE"] === "all";

/** A few quotes are as good as many, and axe reads every element. Two tags each: pages say what is related. */
const quotes = [...Map.groupBy(siteQuotes(), ({ language = "en" }) => language)].flatMap(
  ([language, own]) =>
    own
      .slice(0, LANGUAGES.includes(language) ? 3 : 1)
      .map((quote) => ({ ...quote, tags: [...(quote.tags ?? []), "dignity"] })),
);
// In an index of the other direction its name has two lines.
quotes.push({ id: 9_001, author: "Allgemeine Erklärung der Menschenrechte", tags: [] });

/** Pages whose parts differ; others are of the same parts. */
const partsOf = (language: string) => [
  ...["", `language/${language}/`, "tags/", "authors/e/", "quote/1/", "about/", "search/"],
  ...["favourites/", "404.html"],
];

const pagesOf = (language: string) => [
  ...["", "today/", "today/calendar/", "languages/", `language/${language}/`, "tags/"],
  ...["tag/rights/", "authors/", "authors/e/", "quote/1/", "about/", "about/build/", "search/"],
  ...["favourites/", "api/", "offline/", "embed/1/", "404.html", "author/unknown/"],
  // Of kinds that others are of, too.
  ...(all ? ["today/2026-11-21/", "new/", "embed/today/"] : []),
];

/** One of each layout. */
const fewOf = (language: string) => ["", `language/${language}/`, "quote/1/", "search/", "tags/"];

const browser = useBrowser();

/** A phone, a tablet and a desk; the last is a desk at a zoom of 400 %. */
const SIZES = [
  [320, 640],
  [768, 1024],
  [1280, 900],
  [320, 225],
] as const;

/** Whether a page is wider than its window, and a link that the menu covers when links have the focus, first to last. */
function faultsOfSize(): string[] {
  const { scrollWidth } = document.documentElement;
  const size = `${innerWidth} x ${innerHeight}`;
  const wide = scrollWidth > innerWidth ? [`${scrollWidth} px wide in a window of ${size}`] : [];
  const menu = document.querySelector(".masthead");
  if (menu === null || getComputedStyle(menu).position !== "sticky") return wide;
  const covered = [...document.querySelectorAll<HTMLElement>("main a")].filter((link) => {
    // A link that has the focus already would not be scrolled to.
    link.blur();
    link.focus();
    // One that is folded away takes none.
    if (document.activeElement !== link) return false;
    return link.getBoundingClientRect().bottom > menu.getBoundingClientRect().top;
  });
  return [...wide, ...covered.slice(0, 1).map(({ outerHTML }) => `under the menu: ${outerHTML}`)];
}

/** What of a page runs out of a window, leaves its edge or axis, moves, or ignores a wish for contrast. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    faults.push(...(await page.evaluate(faultsOfSize)));
  }
  // Its last window is a phone's, where every part is as wide as the window.
  await page.setViewportSize({ width: 1280, height: 900 });
  const astray = await page.evaluate(() =>
    [
      ...document.querySelectorAll(".masthead .title, .heading h1, .tagline, .index a"),
      ...document.querySelectorAll(".how, .tools, .find, .months"),
    ]
      .filter((part) => part.checkVisibility())
      .flatMap((part) => {
        const content = document.createRange();
        content.selectNodeContents(part);
        const is = content.getBoundingClientRect();
        const box = (part.closest("li, .heading, main") ?? part).getBoundingClientRect();
        const around = part.closest("ul, main") ?? document.documentElement;
        const { direction, textAlign } = getComputedStyle(around);
        const start = direction === "rtl" ? is.right - box.right : is.left - box.left;
        const middle = (is.left + is.right - box.left - box.right) / 2;
        const off = textAlign === "center" ? middle : start;
        return Math.abs(off) < 2 ? [] : `${off} px astray: ${part.outerHTML.slice(0, 100)}`;
      }),
  );
  const unseen = await page.evaluate(() => {
    const isClipped = (part: Element | null): boolean =>
      part !== null &&
      (getComputedStyle(part).clipPath !== "none" || isClipped(part.parentElement));
    return [...document.querySelectorAll<HTMLElement>("main a")]
      .filter((link) => {
        link.focus();
        return document.activeElement === link && isClipped(link);
      })
      .map(({ outerHTML }) => `takes the focus and is not seen: ${outerHTML.slice(0, 100)}`);
  });
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 0)
      .map(({ playState }) => `an animation is ${playState}`),
  );
  await page.emulateMedia({ forcedColors: "active" });
  const bare = await page.evaluate(() =>
    [...document.querySelectorAll("input:not(.hidden), select, .tools button, .ask button")]
      .filter((control) => control.checkVisibility())
      .filter((control) => getComputedStyle(control).borderStyle === "none")
      .map(({ outerHTML }) => `no edge: ${outerHTML}`),
  );
  await page.emulateMedia({ forcedColors: "none", contrast: "more" });
  const soft = await page.evaluate(() =>
    [...document.querySelectorAll(".tagline, .colophon, .notes, .sum")]
      .filter((part) => getComputedStyle(part).color !== getComputedStyle(document.body).color)
      .map(({ outerHTML }) => `soft where more contrast is wanted: ${outerHTML.slice(0, 80)}`),
  );
  await page.emulateMedia({ contrast: null });
  return [...faults, ...astray, ...unseen, ...moving, ...bare, ...soft];
}

const matrix = all
  ? THEMES.flatMap((theme) => LANGUAGES.map((language) => [theme, language] as const))
  : [["folio", "ar"] as const];

test.each(matrix)("axe finds nothing in %s, in %s", async (theme, language) => {
  // Old data, so that the banner that says so is read too.
  const facts = { harvest: { label: "best-effort", finished: "2020-01-01T00:00:00Z" } };
  const stateDir = tempFolder("axe");
  for (const [day, status] of [0, 69, 0].entries()) {
    addToHistory(stateDir, build(day, { status, at: `2019-01-0${day + 1}T00:00:00.000Z` }));
  }
  const site = await buildSite(
    { quotes, facts, stateDir },
    { SITE_THEME: theme, SITE_LANGUAGE: language },
  );
  // To search engines the site says its language as to readers: Bengali is `bn`, and `be` to the service alone.
  const { tag } = languageOf(language);
  const home = readFileSync(join(site.outDir, "index.html"), "utf8");
  for (const said of [`<html lang="${tag}"`, `"inLanguage":"${tag}","potentialAction"`])
    expect(home).toContain(said);
  const served = await serveFolder(site.outDir);
  const context = await browser().newContext({ colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  const other = theme === "night-reader" ? "light" : "dark";
  const complaints: string[] = [];
  await bringAxe(page);
  try {
    for (const path of all ? pagesOf(language) : fewOf(language)) {
      const answer = await page.goto(served.url + path);
      expect(answer?.status(), path).toBe(200);
      expect(await page.locator("html").getAttribute("lang"), path).toBeTruthy();
      const faults = [...(await axeFaults(page)), ...(await faultsOf(page))];
      // The other scheme differs in colour alone, and other pages are of the same parts.
      if (all || partsOf(language).includes(path)) {
        await page.evaluate((other) => (document.documentElement.dataset["scheme"] = other), other);
        faults.push(...(await axeFaults(page, ["color-contrast"])));
      }
      complaints.push(...faults.map((fault) => `${path} ${fault}`));
    }
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
});
