/** A picture of a quote, in a real browser: three sizes, three styles, four scripts, the file, a text that is too long. */
// @module-tag long
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { axeFaults, readSite } from "../support/browser/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";

const OWN = [
  {
    id: 9_201,
    text: "吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。",
    author: "夏目漱石",
    language: "ja",
  },
  { id: 9_202, text: "Vaste. ".repeat(400), author: "Long", language: "en" },
  { id: 9_203, text: "Short words.", author: "Brief", language: "en" },
  { id: 9_204, text: "https://example.org/" + "a".repeat(90), author: "One word", language: "en" },
];
const { url, reading } = readSite([...siteQuotes(), ...OWN]);
const PHONE = {
  viewport: { width: 360, height: 740 },
  serviceWorkers: "block",
  acceptDownloads: true,
} as const;

async function openDialog(page: Page, path: string): Promise<void> {
  await page.goto(url() + path);
  await page.locator('.acts [data-act="picture"]:enabled').press("Enter");
  await page.locator("#picture[open] canvas").waitFor();
}

/** Share of the width at each side that stays empty. */
const MARGIN = 0.08;

/** The file that Save gives: its size, how much of it is not paper, and how much of that stands at its sides. */
async function save(page: Page) {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#picture button").first().click(),
  ]);
  const bytes = readFileSync(await saved.path());
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const paper = data.subarray(0, 3);
  let drawn = 0;
  let atSides = 0;
  for (let at = 0; at < data.length; at += 3) {
    const red = Math.abs((data[at] ?? 0) - (paper[0] ?? 0));
    const green = Math.abs((data[at + 1] ?? 0) - (paper[1] ?? 0));
    if (red + green <= 120) continue;
    drawn++;
    const x = ((at / 3) % info.width) / info.width;
    if (x < MARGIN || x > 1 - MARGIN) atSides++;
  }
  return {
    name: saved.suggestedFilename(),
    width: info.width,
    height: info.height,
    drawn: drawn / (info.width * info.height),
    atSides,
    paper: paper.join(),
  };
}

test("each size and style is a file of its own, with the words on it, however late typefaces are", async () => {
  await reading(PHONE, async (page) => {
    await page.addInitScript(() => {
      const load = document.fonts.load.bind(document.fonts);
      document.fonts.load = async (...of) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return load(...of);
      };
    });
    await openDialog(page, "quote/9203/");
    const papers = new Set<string>();
    for (const [size, width, height] of [
      ["square", 1080, 1080],
      ["tall", 1080, 1920],
      ["wide", 1200, 630],
    ] as const) {
      await page.check(`#picture [value="${size}"]`);
      const file = await save(page);
      expect(file).toMatchObject({ name: "quote-9203.png", width, height });
      expect(file.drawn).toBeGreaterThan(0.005);
      expect(file.atSides).toBe(0);
    }
    for (const style of ["paper", "night", "colour"]) {
      await page.check(`#picture [value="${style}"]`);
      const file = await save(page);
      expect(file.drawn, style).toBeGreaterThan(0.005);
      papers.add(file.paper);
    }
    expect(papers.size).toBe(3);
  });
});

describe.each([
  ["ar", (quotes: typeof known) => quotes.find(({ language }) => language === "ar")?.id],
  ["be", (quotes: typeof known) => quotes.find(({ language }) => language === "be")?.id],
  ["ja", () => 9_201],
])("in %s", (code, idOf) => {
  test("the dialog has names and states, and draws in the language and direction of the quote", async () => {
    await reading(PHONE, async (page) => {
      await openDialog(page, `quote/${idOf(known)}/`);
      const canvas = page.locator("#picture canvas");
      expect(await canvas.getAttribute("dir")).toBe(code === "ar" ? "rtl" : "ltr");
      expect(await canvas.getAttribute("aria-label")).toBeTruthy();
      expect(await page.locator("#picture").getByRole("radio", { checked: true }).count()).toBe(2);
      // Drawn, and under the rules that come with its script.
      await page.locator("#picture button[type=button]:enabled").first().waitFor();
      expect((await canvas.boundingBox())?.width).toBeLessThan(346);
      expect(await axeFaults(page)).toEqual([]);
      const { drawn, atSides } = await save(page);
      expect(drawn).toBeGreaterThan(0.005);
      expect(atSides).toBe(0);
      await page.keyboard.press("Escape");
      expect(await page.locator("#picture").isVisible()).toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    });
  });
});
const known = siteQuotes().map(({ id, language = "en" }) => ({ id, language }));

test("a text that is too long says what to do, and saves nothing", async () => {
  await reading(PHONE, async (page) => {
    await page.goto(`${url()}quote/9202/`);
    await page.locator('.acts [data-act="picture"]:enabled').click();
    await page.locator("#picture [role=status]").getByText("try the tall one").waitFor();
    expect(await page.locator("#picture canvas").isVisible()).toBe(false);
    expect(await page.locator("#picture button").first().isDisabled()).toBe(true);
  });
});

test("a word that is wider than the picture is broken", async () => {
  await reading(PHONE, async (page) => {
    await openDialog(page, "quote/9204/");
    const { drawn, atSides } = await save(page);
    expect(drawn).toBeGreaterThan(0.005);
    expect(atSides).toBe(0);
  });
});

test("a reader without a connection is told that there is no picture", async () => {
  await reading(PHONE, async (page) => {
    await page.goto(`${url()}quote/9203/`);
    const button = page.locator('.acts [data-act="picture"]:enabled');
    await button.waitFor();
    await page.context().setOffline(true);
    await button.click();
    await page.locator("#page-status").getByText("could not be drawn").waitFor();
  });
});

test("the menu of a card draws its own quote, and a browser that shares files shares it", async () => {
  await reading(PHONE, async (page) => {
    await page.addInitScript(() => {
      Object.assign(navigator, {
        canShare: () => true,
        share: ({ files }: { files: File[] }) => {
          document.title = `${files[0]?.name} ${files[0]?.type}`;
          return Promise.resolve();
        },
      });
    });
    await page.goto(`${url()}author/brief/`);
    await page.locator("article .more:enabled").press("Enter");
    await page.locator('#card-menu [data-act="picture"]').click();
    await page.locator("#picture[open] canvas").waitFor();
    expect(await page.locator("#picture canvas").getAttribute("aria-label")).toContain(
      "Short words.",
    );
    await page.locator("#picture .share").click();
    await expect.poll(() => page.title()).toBe("quote-9203.png image/png");
  });
});
