/**
 * axe on every kind of page, in three languages and scripts, light and dark, in each theme: each language once and each
 * theme once, or with `AXE=all` every language in every theme. And what axe does not see: widths, forced colours, motion.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults, bringAxe, serveFolder, useBrowser } from "../support/browser/index.ts";
import { buildSite } from "../support/built/index.ts";
import { languageOf } from "../../src/contract/languages.ts";
import { addToHistory } from "../../src/report/history.ts";
import { build } from "../report/support.ts";
import { tempFolder } from "../support/run/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";

const LANGUAGES = ["en", "ar", "be"];
const THEMES = ["folio", "press", "night-reader"];

/** A few quotes are as good as many, and axe reads every element. Two tags each: pages say what is related. */
const quotes = [...Map.groupBy(siteQuotes(), ({ language = "en" }) => language)].flatMap(
  ([language, own]) =>
    own
      .slice(0, LANGUAGES.includes(language) ? 3 : 1)
      .map((quote) => ({ ...quote, tags: [...(quote.tags ?? []), "dignity"] })),
);

const pagesOf = (language: string) => [
  ...["", "today/", "today/calendar/", "today/2026-11-21/", "new/", "languages/"],
  ...[`language/${language}/`, "tags/", "tag/rights/", "authors/", "authors/e/"],
  ...["author/unknown/", "quote/1/", "about/", "about/build/", "search/", "favourites/"],
  ...["api/", "offline/", "embed/1/", "embed/today/", "404.html"],
];

const browser = useBrowser();

/** A phone, a tablet and a desk; the last is a desk at a zoom of 400 %. */
const SIZES = [
  [320, 640],
  [768, 1024],
  [1280, 900],
  [320, 225],
] as const;

/** What of a page runs out of a window, moves, or has no edge in forced colours. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const is = await page.evaluate(() => document.documentElement.scrollWidth);
    if (is > width) faults.push(`${is} px wide in a window of ${width} x ${height}`);
  }
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
  await page.emulateMedia({ forcedColors: "none" });
  return [...faults, ...moving, ...bare];
}

const all = process.env["AXE"] === "all";
const matrix = THEMES.flatMap((theme, place) =>
  LANGUAGES.filter((_, at) => all || at === place).map((language) => [theme, language] as const),
);

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
    for (const path of pagesOf(language)) {
      await page.goto(served.url + path);
      expect(await page.locator("html").getAttribute("lang"), path).toBeTruthy();
      const faults = [...(await axeFaults(page)), ...(await faultsOf(page))];
      // The other scheme differs in colour alone.
      await page.evaluate((other) => (document.documentElement.dataset["scheme"] = other), other);
      faults.push(...(await axeFaults(page, ["color-contrast"])));
      complaints.push(...faults.map((fault) => `${path} ${fault}`));
    }
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
});
