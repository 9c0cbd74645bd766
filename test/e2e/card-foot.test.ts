/**
 * The foot of a card and the main menu, in a real browser: one row of 44 px on a phone in every language of the interface, the
 * toggle that keeps a quote, the sheet of its menu, and the press on its text.
 */
// @module-tag long
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TRANSLATIONS } from "../../src/i18n/locale.ts";
import { axeFaults, readSite } from "../support/browser/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";
import { drawn } from "../support/tier.ts";

const japanese = [1, 2, 3].map((n) => ({
  ...{ id: 9_100 + n, author: "吾輩", language: "ja", likes: 37_000, tags: ["猫"] },
  text: `吾輩は猫である。名前はまだ無い。${n}`,
}));
const { url, reading } = readSite([...siteQuotes(), ...japanese]);

const PHONE = { viewport: { width: 360, height: 740 }, serviceWorkers: "block" } as const;

/** Tops, in whole pixels, of the elements that a selector finds: one for each row of them. */
const rowsOf = (page: Page, selector: string): Promise<number[]> =>
  page.locator(selector).evaluateAll((found) => [
    ...new Set(
      found.map((each) => {
        const { top, height } = each.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    ),
  ]);

test("the menu is one row of 44 px on a phone, in every language", async () => {
  await reading(PHONE, async (page) => {
    for (const code of Object.keys(TRANSLATIONS)) {
      await page.goto(`${url()}language/${code}/`);
      expect(await rowsOf(page, ".masthead nav a"), code).toHaveLength(1);
      const sizes = await page
        .locator(".masthead nav a")
        .evaluateAll((links) =>
          links.map((link) => [link.scrollHeight, link.getBoundingClientRect().height]),
        );
      for (const [, height] of sizes) expect(height, code).toBeGreaterThanOrEqual(44);
      expect(sizes).toHaveLength(5);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), code).toBe(360);
    }
  });
});

test("the votes, Keep, Copy and the menu of a card are one row on a phone, in every language", async () => {
  await reading(PHONE, async (page) => {
    for (const code of [...Object.keys(TRANSLATIONS), "ja"]) {
      await page.goto(`${url()}language/${code}/`);
      // As many likes as most cards have.
      await page
        .locator("data")
        .first()
        .evaluate((count) => (count.textContent = "37,000"));
      const foot = "article:nth-of-type(1) :is(vote-box > button, data, .do button)";
      expect(await rowsOf(page, foot), code).toHaveLength(1);
      const heights = await page
        .locator("article:nth-of-type(1) .do button")
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
      expect(heights).toHaveLength(3);
      for (const height of heights) expect(height, code).toBeGreaterThanOrEqual(44);
    }
  });
});

test("no number of kept quotes makes a page scroll sideways, in any language", async () => {
  await reading({ ...PHONE, viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(`${url()}sw.js`);
    const kept = Array.from({ length: 888 }, (_, at) => ({
      ...{ pk: at + 1, quote: "Kept.", author: "", lang: "en", dir: "ltr" },
      ...{ path: `/quote/${at + 1}/`, by: "", tags: [], at: "2026-11-10T08:00:00.000Z" },
    }));
    await page.evaluate(
      (list) => localStorage.setItem("commonplace-favourites:/sub/", list),
      JSON.stringify(kept),
    );
    for (const code of Object.keys(TRANSLATIONS)) {
      await page.goto(`${url()}language/${code}/`);
      await page.locator("#kept:not(:empty)").waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), code).toBe(320);
    }
  });
});

test("the day and its summary of other languages fit a narrow phone in every language, also with large letters", async () => {
  const narrow = { viewport: { width: 320, height: 640 }, locale: "de-DE" } as const;
  const faults: string[] = [];
  await reading({ ...PHONE, ...narrow }, async (page) => {
    for (const code of Object.keys(TRANSLATIONS)) {
      await page.goto(`${url()}${code === "en" ? "" : `${code}/`}today/`);
      await page.locator(".others > summary").waitFor();
      for (const size of ["100%", "200%"]) {
        const width = await page.evaluate((size) => {
          document.documentElement.style.fontSize = size;
          return document.documentElement.scrollWidth;
        }, size);
        if (width > 320) faults.push(`${code} at ${size}: ${width} px`);
      }
    }
  });
  expect(faults).toEqual([]);
});

describe.each(drawn(["ar", "ja", "be"], 1))("in %s", (code) => {
  test("Keep is a toggle that keeps its width, counts in the menu, and is undone", async () => {
    await reading(PHONE, async (page) => {
      await page.goto(`${url()}language/${code}/`);
      const keep = page.locator('article [data-act="keep"]').first();
      const width = async () => (await keep.boundingBox())?.width;
      const before = await width();
      expect(await keep.getAttribute("aria-pressed")).toBe("false");
      await keep.focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("true");
      expect(await width()).toBe(before);
      await expect.poll(() => page.locator("#kept").textContent()).toMatch(/^[1١১]$/);
      expect(await axeFaults(page)).toEqual([]);
      await page.reload();
      await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("true");
      await keep.click();
      await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("false");
      await page.locator("#page-status button").click();
      await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("true");
    });
  });

  test("the menu is a sheet at the lower edge of a phone, and the report is its last item", async () => {
    await reading(PHONE, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, "share", { value: () => Promise.resolve() });
      });
      await page.goto(`${url()}language/${code}/`);
      const more = page.locator("article .more:enabled").first();
      expect(await more.getAttribute("aria-label")).toBeTruthy();
      // It opens buttons, which are no menu of ARIA.
      expect(await more.getAttribute("aria-haspopup")).toBeNull();
      await more.press("Enter");
      const menu = page.locator("#card-menu");
      await menu.locator("button:focus").waitFor();
      expect(await menu.boundingBox()).toMatchObject({ x: 0, width: 360 });
      const box = await menu.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(740);
      const text = await page.locator("article blockquote").first().textContent();
      expect(text).toContain(await menu.locator("p").textContent());
      const acts = await menu
        .locator("ul > li")
        .evaluateAll((items) => items.map((item) => item.querySelector("button")?.dataset["act"]));
      expect(acts[0]).toBe("share");
      expect(acts.at(-1)).toBe("report");
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expect.poll(() => more.evaluate((it) => document.activeElement === it)).toBe(true);
    });
  });
});

test("a press on the text opens the quote's page; a word that is selected does not", async () => {
  await reading(PHONE, async (page) => {
    await page.goto(`${url()}language/en/`);
    const text = page.locator("article blockquote").first();
    await text.dblclick();
    await page.waitForTimeout(400);
    expect(page.url()).toContain("/language/en/");
    // The press that ends a selection is no other press.
    await text.click();
    await page.waitForTimeout(400);
    expect(page.url()).toContain("/language/en/");
    await text.click();
    await page.waitForURL(/\/quote\/\d+\/$/);
    await page.locator("article blockquote").click();
    await page.waitForTimeout(400);
    expect(page.url()).toMatch(/\/quote\/\d+\/$/);
  });
});

test("nothing moves when a vote is answered, and a rounded count stays", async () => {
  await reading(PHONE, async (page) => {
    await page.route("**/apiv1/**", (route) => route.fulfill({ status: 200, json: {} }));
    await page.goto(`${url()}language/ja/`, { waitUntil: "networkidle" });
    const places = () =>
      page
        .locator("article")
        .evaluateAll((cards) => cards.map((card) => JSON.stringify(card.getBoundingClientRect())));
    const before = await places();
    const card = page.locator("article.quote").first();
    const shown = await card.locator("data").textContent();
    await card.locator('[form="vote_up"]').click();
    await card.locator("output:not(:empty)").waitFor();
    await page.locator('vote-box:not([data-state="sending"])[data-state]').waitFor();
    expect(await places()).toEqual(before);
    expect(await card.locator("data").textContent()).toBe(shown);
  });
});

test("without JavaScript no button that needs it is shown, and the link to the quote is", async () => {
  await reading({ ...PHONE, javaScriptEnabled: false }, async (page) => {
    for (const path of ["", "quote/1/", "favourites/", "search/", "random/", "today/"]) {
      await page.goto(url() + path);
      // A browser sends forms, of votes and of a search, without scripts.
      const dead = page.locator("button:not([form], [type=submit]):visible");
      expect(await dead.count(), path).toBe(0);
    }
    await page.goto(`${url()}language/en/`);
    expect(await page.locator(".do button:visible").count()).toBe(0);
    await page.locator("article .permalink").first().click();
    await page.waitForURL(/\/quote\/\d+\/$/);
  });
});

test("where nothing can be stored, Keep says so and stays as it was", async () => {
  await reading(PHONE, async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("", "SecurityError");
        },
      });
    });
    await page.goto(`${url()}language/en/`);
    const keep = page.locator('article [data-act="keep"]').first();
    await keep.click();
    await expect.poll(() => page.textContent("#page-status")).toContain("does not let");
    expect(await keep.getAttribute("aria-pressed")).toBe("false");
  });
});
