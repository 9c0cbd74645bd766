/** axe on every kind of page, in three languages and scripts, light and dark, in each theme. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, serveFolder } from "../support/browser.ts";
import { buildSite } from "../support/build-site.ts";
import { siteQuotes } from "../support/site-quotes.ts";

const LANGUAGES = ["en", "ar", "be"];
const THEMES = ["folio", "press", "night-reader"];

/** A few quotes of each language are as good as many, and axe reads every element. */
const quotes = siteQuotes().filter(({ id }, index, all) => id % 7 === 0 || index > all.length - 12);

const pagesOf = (language: string) => [
  "",
  "today/",
  "languages/",
  `language/${language}/`,
  "tags/",
  "tag/rights/",
  "authors/",
  "authors/e/",
  "author/unknown/",
  "quote/7/",
  "about/",
  "404.html",
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const matrix = THEMES.flatMap((theme) => LANGUAGES.map((language) => [theme, language] as const));

test.each(matrix)(
  "axe finds nothing in %s, in %s",
  { timeout: 120_000 },
  async (theme, language) => {
    // Old data, so that the banner that says so is read too.
    const facts = { harvest: { label: "best-effort", finished: "2020-01-01T00:00:00Z" } };
    const site = await buildSite({ quotes, facts }, { SITE_THEME: theme, SITE_LANGUAGE: language });
    const served = await serveFolder(site.outDir);
    const context = await browser.newContext({ colorScheme: "light", reducedMotion: "reduce" });
    const page = await context.newPage();
    const complaints: string[] = [];
    const collect = async (path: string, axe: AxeBuilder): Promise<void> => {
      const { violations } = await axe.analyze();
      for (const { id, nodes } of violations) {
        complaints.push(
          `${path} ${id}: ${nodes[0]?.html.slice(0, 200) ?? ""} ${nodes[0]?.failureSummary ?? ""}`,
        );
      }
    };
    try {
      for (const path of pagesOf(language)) {
        await page.goto(served.url + path);
        expect(await page.locator("html").getAttribute("lang"), path).toBeTruthy();
        await collect(path, new AxeBuilder({ page }));
        // Dark differs in colour alone.
        await page.emulateMedia({ colorScheme: "dark" });
        await page.evaluate((dark) => (document.documentElement.dataset["scheme"] = dark), "dark");
        await collect(`${path} (dark)`, new AxeBuilder({ page }).withRules(["color-contrast"]));
        await page.evaluate(
          (light) => (document.documentElement.dataset["scheme"] = light),
          "light",
        );
        await collect(`${path} (light)`, new AxeBuilder({ page }).withRules(["color-contrast"]));
        await page.emulateMedia({ colorScheme: "light" });
      }
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
      await served.close();
      site.remove();
    }
  },
);
