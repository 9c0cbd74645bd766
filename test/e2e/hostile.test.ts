/**
 * Hostile text and themes in a real browser: text of the service cannot run, leave its card or widen the page, and the
 * audit finds a theme that hides the attribution.
 */
// @module-tag sized
import { cpSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { auditInBrowser, type View } from "../../src/audit/browser-audit.ts";
import { serveFolder, untilDrawn, useBrowser, type Served } from "../support/browser/index.ts";
import { buildSite, type BuiltSite } from "../support/built/index.ts";
import { folderWith, tempFolder } from "../support/run/index.ts";
import { BIDI_TEXT, HOSTILE, siteQuotes, STACKED_TEXT } from "../support/snapshot/index.ts";
import { drawn } from "../support/tier.ts";

/** `/random/` leads elsewhere as soon as its script runs. */
const TEMPLATES = [
  ...["/", "/today/", "/languages/", "/language/ar/", "/tags/", "/tag/rights/", "/authors/"],
  ...["/authors/e/", "/author/unknown/", "/quote/1/", "/search/", "/favourites/", "/random/"],
  ...["/api/", "/about/", "/404.html"],
];

const A = "[data-attribution]";
const OVER = "content:'';inset:0;background:#fff;z-index:9";

/** What a theme may do to the attribution, and a piece of what is said of it. */
const HIDDEN: readonly (readonly [css: string, said: string])[] = [
  [`${A}{display:none}`, "not shown"],
  [`footer{visibility:hidden}`, "not shown"],
  [`${A}{opacity:0}`, "not shown"],
  [`footer{opacity:.3}`, "contrast"],
  [`${A}{position:absolute;left:-9999px}`, "outside of the window"],
  [`${A}{color:color-mix(in srgb,currentColor 5%,#fff)}`, "contrast"],
  [`${A}{-webkit-text-fill-color:transparent}`, "contrast"],
  [`${A}{font-size:2px}`, "too small"],
  [`${A}{display:inline-block;transform:scale(.1)}`, "too small"],
  [`body::after{position:fixed;${OVER}}`, "lies over"],
  // What no click feels.
  [`body::after{position:fixed;pointer-events:none;${OVER}}`, "not visible"],
  [`${A}{position:relative}${A}::after{position:absolute;${OVER}}`, "not visible"],
  [`${A}{display:inline-block;clip-path:inset(50%)}`, "cuts it off"],
  ["footer{height:0;overflow:hidden;padding:0;margin:0}", "it "],
];

const PHONE: View = { scheme: "light", width: 320, scripts: true };

/** The others differ in one thing each from the first. */
const VIEWS = [
  PHONE,
  { ...PHONE, scheme: "dark" },
  { ...PHONE, width: 1280 },
  { ...PHONE, scripts: false },
] as const satisfies View[];

/** The same where it shows in some of these views alone. */
const HIDDEN_SOMEWHERE: readonly (readonly [string, readonly number[]])[] = [
  ["@media (prefers-color-scheme:dark){footer *{color:#333!important}}", [1]],
  [`@media (max-width:400px){${A}{display:none}}`, [0, 1, 3]],
  [`@media (min-width:800px){${A}{display:none}}`, [2]],
  [`@media (scripting:none){${A}{display:none}}`, [3]],
];

async function faultsOf(
  browser: Browser,
  outDir: string,
  paths: readonly string[],
  views: readonly View[],
): Promise<string[]> {
  const { url } = await serveFolder(outDir);
  const findings = await auditInBrowser(browser, { url, paths, views });
  return findings.map(({ page, detail }) => `${page}: ${detail}`);
}

/** A copy of `/about/` for each rule, with it in the sheet of all pages: `/0/` for the first. */
function withRules(outDir: string, rules: readonly (readonly [string, unknown])[]): string {
  const copy = tempFolder("rules");
  cpSync(join(outDir, "_astro"), join(copy, "_astro"), { recursive: true });
  const html = readFileSync(join(outDir, "about/index.html"), "utf8");
  const [sheet = ""] = globSync("_astro/Page.*.css", { cwd: copy });
  const css = readFileSync(join(copy, sheet), "utf8");
  for (const [at, [rule]] of rules.entries()) {
    const own = `_astro/rule-${at}.css`;
    const files = { [own]: css + rule, [`${at}/index.html`]: html.replaceAll(sheet, own) };
    folderWith(files, copy);
  }
  return copy;
}

const quotes = siteQuotes();
const idOf = (text: string): number => quotes.find((quote) => quote.text === text)?.id ?? 0;

describe.each(drawn(["folio", "press", "night-reader"], 1))("%s", (theme) => {
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

  // The last page of English has all of them. Other themes are other sheets on the same pages.
  const alone = theme === "folio" ? HOSTILE : HOSTILE.filter(({ length }) => length > 300);
  const PATHS = [
    ...alone.map((text) => `quote/${idOf(text)}/`),
    ...["tags/", "authors/", "language/en/3/", ""],
  ];

  test.each(PATHS)(
    "/%s runs nothing, fits the window, and has an attribution to click",
    async (path) => {
      const answer = await page.goto(served.url + path);
      expect(answer?.status()).toBe(200);
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

  test("text as wide as WCAG 1.4.12 lets a reader set it fits the window in the other direction, too", async () => {
    const faults: string[] = [];
    const arabic = quotes.filter(({ language }) => language === "ar").map(({ text = "" }) => text);
    for (const id of drawn([...new Set(arabic)], 4).map(idOf)) {
      await page.goto(`${served.url}quote/${id}/`);
      const width = await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("* { letter-spacing: .12em !important; word-spacing: .16em !important }");
        document.adoptedStyleSheets.push(sheet);
        return document.documentElement.scrollWidth;
      });
      if (width > 320) faults.push(`/quote/${id}/ is ${width} px wide`);
      const quote = page.locator(".quote").first();
      await expect(
        quote.evaluate((card) => getComputedStyle(card).overflowClipMargin),
      ).resolves.not.toBe("0px");
    }
    expect(faults).toEqual([]);
  });

  test(
    "the attribution can be seen on every template, and in every view",
    { tags: "long" },
    async () => {
      const [phone, ...others] = VIEWS;
      const paths =
        theme === "folio" ? TEMPLATES : ["/", "/language/ar/", "/quote/1/", "/404.html"];
      expect(await faultsOf(browser(), site.outDir, paths, [phone])).toEqual([]);
      expect(await faultsOf(browser(), site.outDir, ["/language/ar/"], others)).toEqual([]);
    },
  );

  test("marks stacked on a letter paint nothing outside of the card", async () => {
    await page.goto(`${served.url}quote/${idOf(STACKED_TEXT)}/`);
    // A face that comes late moves the footer.
    await untilDrawn(page);
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

describe("the audit in a browser", () => {
  const browser = useBrowser();
  const [phone] = VIEWS;
  let outDir: string;
  beforeAll(async () => {
    ({ outDir } = await buildSite({ quotes }, { SITE_THEME: "folio" }));
  });

  test(
    "judges a page that leaves while it is looked at where it leads",
    { tags: "long" },
    async () => {
      const often = Array<string>(3).fill("/random/");
      expect(await faultsOf(browser(), outDir, often, [phone])).toEqual([]);
    },
  );

  test("weighs the typefaces that the text of a page needs", { tags: "long" }, async () => {
    const { url } = await serveFolder(outDir);
    const paths = ["/search/", "/language/be/"];
    const weigh = async (most: number): Promise<number[]> => {
      const fonts = new Map(paths.map((path) => [path, most]));
      const how = { url, paths, views: [phone], fonts, attribution: false };
      const findings = await auditInBrowser(browser(), how);
      expect(findings.every(({ kind }) => kind === "too heavy")).toBe(true);
      return findings.map(({ detail }) => Number(/: (\d+) bytes/.exec(detail)?.[1]));
    };
    expect(await weigh(360_000)).toEqual([]);
    // The page of the search declares the faces of all scripts, and needs those of its own words.
    const [search = 0, bengali = 0] = await weigh(1_000);
    expect(search).toBeLessThan(140_000);
    expect(bengali).toBeGreaterThan(search);
  });

  test("finds out a theme that hides the attribution, and says how", { tags: "long" }, async () => {
    const copy = withRules(outDir, HIDDEN);
    const faults = await faultsOf(
      browser(),
      copy,
      [...HIDDEN.keys()].map((at) => `/${at}/`),
      [phone],
    );
    expect(faults).toEqual(
      HIDDEN.map(([, said], at): unknown => expect.stringMatching(`^/${at}/ .*: .*${said}`)),
    );
  });

  test("finds out a theme that hides it in some views alone", { tags: "long" }, async () => {
    const copy = withRules(outDir, HIDDEN_SOMEWHERE);
    for (const [at, view] of VIEWS.entries()) {
      const paths = [...HIDDEN_SOMEWHERE.keys()].map((rule) => `/${rule}/`);
      const bad = paths.filter((_, rule) => HIDDEN_SOMEWHERE[rule]?.[1].includes(at));
      const faults = await faultsOf(browser(), copy, paths, [view]);
      expect(faults.map((fault) => fault.split(" ")[0])).toEqual(bad);
    }
  });
});
