/**
 * The letters of every script, on a machine that has a face for Latin alone and on a slow line: each must arrive, and be
 * drawn from the small faces of home and indexes as it is from the whole ones.
 */
// @module-tag long
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page, Response, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import fontverter from "fontverter";
import { FONT_FILES, fontFile, type FontSubset } from "../../src/layouts/typefaces.ts";
import { embeddedCollection } from "../../src/service/collection.ts";
import { readSite, untilDrawn } from "../support/browser/index.ts";
import { tempFolder } from "../support/run/index.ts";

const { resolve } = createRequire(import.meta.url);
const readFont = (cut: FontSubset): Buffer => readFileSync(resolve(fontFile(cut)));

// The browser of this file finds no font but this one.
const system = tempFolder("fonts");
mkdirSync(join(system, "fonts"));
writeFileSync(
  join(system, "fonts/latin.ttf"),
  await fontverter.convert(readFont("latin"), "truetype"),
);
writeFileSync(
  join(system, "fonts.conf"),
  `<?xml version="1.0"?><fontconfig><dir>${system}/fonts</dir><cachedir>${system}/cache</cachedir></fontconfig>`,
);
process.env["FONTCONFIG_FILE"] = join(system, "fonts.conf");

const quotes = embeddedCollection()
  .filter(({ language, pk }) => language !== "en" || pk < 60)
  .map(({ pk: id, quote: text, author, tags, language, likes }) => {
    return { id, text, author, tags, language, likes };
  });
// In scripts that the site has no face for, and in none.
const others = ["Ὅμηρος", "老子", "50 Cent"].map((author, at) => {
  const tags = at === 0 ? ["వేమన శతకం", "भक्ति", "حكمة"] : [];
  return { id: 90_001 + at, text: "Words.", author, language: "en", tags };
});
const { url, reading } = readSite([...quotes, ...others]);

const first = (code: string) => {
  const quote = quotes.find(({ language }) => language === code);
  if (quote === undefined) throw new Error(`Cannot test ${code}: no quote is in it`);
  return {
    id: quote.id,
    initial: `authors/${quote.author?.[0]}/`,
  };
};

/** Scripts that a machine may lack. */
const SCRIPTS = ["cyrillic", "hebrew", "arabic", "devanagari", "bengali", "telugu"];

const letterOf = (script: string): string =>
  `\\p{Script=${script.charAt(0).toUpperCase()}${script.slice(1)}}`;

/** A page with small faces and pages with whole ones, and the scripts of which they show words. */
const PAGES: readonly (readonly [path: string, scripts: readonly string[]])[] = [
  ["", SCRIPTS],
  ["today/", SCRIPTS],
  ["language/be/", ["bengali"]],
  [`quote/${first("hi").id}/`, ["devanagari"]],
];

/** A picture of the first words on the page in each script. */
async function pictures(page: Page, scripts: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const script of scripts) {
    const words = page
      .locator("main :is(a, blockquote, small):not(details:not([open]) *)")
      .filter({ hasText: new RegExp(letterOf(script), "u"), visible: true })
      .first();
    taken.push((await words.screenshot()).toString("base64"));
  }
  return taken;
}

async function visit(
  path: string,
  fonts: (route: Route) => Promise<void>,
  scripts: readonly string[],
): Promise<string[]> {
  return reading({}, async (page) => {
    await page.route("**/*.woff2", fonts);
    await page.goto(url() + path, { waitUntil: "networkidle" });
    // Quotes of today in languages that the reader does not read are folded away.
    await page.locator("details.others").evaluateAll((folded) => {
      for (const details of folded) details.setAttribute("open", "");
    });
    await page.waitForLoadState("networkidle");
    await untilDrawn(page);
    return pictures(page, scripts);
  });
}

describe.concurrent.each(PAGES)("/%s", (path, scripts) => {
  test("shows its letters on a slow line, on a machine with Latin alone", async () => {
    const slowly = async (route: Route): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    };
    const [late, boxes] = await Promise.all([
      visit(path, slowly, scripts),
      visit(path, (route) => route.abort(), scripts),
    ]);
    const same = scripts.filter((_, index) => late[index] === boxes[index]);
    expect(same).toEqual([]);
  });
});

test.concurrent.each(["", first("te").initial, "today/", "languages/", "authors/"])(
  "/%s is drawn from its small faces as it is from whole ones",
  async (path) => {
    // The policy of the site would refuse the sheet that this test adds.
    await reading({ bypassCSP: true, viewport: { width: 1280, height: 900 } }, async (page) => {
      await page.route("**/whole/*", (route) => {
        const cut = route.request().url().split("/").at(-1) as FontSubset;
        return route.fulfill({ body: readFont(cut), contentType: "font/woff2" });
      });
      await page.goto(url() + path, { waitUntil: "networkidle" });
      await untilDrawn(page);
      const small = await page.screenshot({ fullPage: true });
      const sheet = await page.locator('link[href*="/letters/"]').getAttribute("href");
      const rules = await (await page.request.get(new URL(sheet ?? "", url()).href)).text();
      const smallFace = /url\("([a-z-]+)-[0-9a-f]+\.woff2"\)/g;
      const whole = rules.replace(smallFace, `url("${url()}whole/$1")`);
      await page.addStyleTag({ content: whole });
      await untilDrawn(page);
      const asked = await page.evaluate(() =>
        performance.getEntriesByType("resource").map(({ name }) => name),
      );
      expect(asked.filter((name) => name.includes("/whole/")).length).toBeGreaterThan(2);
      expect((await page.screenshot({ fullPage: true })).equals(small)).toBe(true);
    });
  },
);

test.concurrent.each([
  ["", 40_000, 120_000],
  ["today/", 64_000, 140_000],
  ["languages/", 40_000, null],
  ["authors/", 40_000, null],
  ["search/", 60_000, 150_000],
])(
  "the small faces of /%s have every letter, and weigh %d bytes at most",
  async (path, most, all) => {
    const { weight, left } = await weigh(path);
    expect(left).toEqual([]);
    expect(weight.letters).toBeLessThanOrEqual(most);
    if (all === null) return;
    expect(weight.all).toBeLessThanOrEqual(all);
    expect(weight.fonts).toBeGreaterThan(50_000);
  },
);

/** What a first visit fetches, text as a host compresses it, and the other scripts whose whole faces it fetches. */
async function weigh(path: string) {
  return reading({}, async (page) => {
    const weight = { all: 0, fonts: 0, letters: 0 };
    const left = new Set<string>();
    const bodies: Promise<void>[] = [];
    const weighOne = (response: Response): void => {
      const add = async (): Promise<void> => {
        const body = await response.body();
        const isFont = response.url().endsWith(".woff2");
        const bytes = isFont ? body.length : gzipSync(body, { level: 6 }).length;
        weight.all += bytes;
        if (isFont) weight.fonts += bytes;
        if (isFont && response.url().includes("/letters/")) weight.letters += bytes;
        for (const cut of Object.keys(FONT_FILES) as FontSubset[])
          if (isFont && cut !== "latin" && body.equals(readFont(cut))) left.add(cut);
      };
      bodies.push(add());
    };
    page.on("response", weighOne);
    await page.goto(url() + path, { waitUntil: "networkidle" });
    // A body that comes later would be read while the page closes.
    page.off("response", weighOne);
    await Promise.all(bodies);
    return { weight, left: [...left] };
  });
}

test("words of the page in the filters of an Arabic search are drawn as from its whole face: their letters join", async () => {
  await reading({}, async (page) => {
    await page.goto(`${url()}ar/search/`, { waitUntil: "networkidle" });
    await untilDrawn(page);
    for (const name of ["language", "tag", "length"]) {
      const select = page.locator(`.find select[name=${name}]`);
      const drawn = await select.screenshot();
      await select.evaluate((it) => (it.style.fontFamily = "var(--faces)"));
      expect((await select.screenshot()).equals(drawn), name).toBe(true);
    }
  });
});

test("/authors/ has a row of letters for each script, under its name", async () => {
  const rows = await reading({}, async (page) => {
    await page.goto(`${url()}authors/`);
    return page.locator(".initials div").evaluateAll((divs) =>
      divs.map((div) => {
        const [name, letters] = ["small", "ul"].map((part) => div.querySelector(part)?.textContent);
        return [name, (letters ?? "").replaceAll(/\s/g, "")] as const;
      }),
    );
  });
  const names = ["Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Devanagari", "Bangla"];
  expect(rows.map(([name]) => name)).toEqual([...names, "Telugu", "Han", ""]);
  const scripts = ["latin", "greek", ...SCRIPTS, "han"];
  for (const [row, script] of scripts.entries()) {
    expect(rows[row]?.[1]).toMatch(new RegExp(`^(?:${letterOf(script)}\\p{M}*)+$`, "u"));
  }
  expect(rows.at(-1)?.[1]).toBe("#");
});
