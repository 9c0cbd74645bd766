/** The book of favourites, in a real browser: notes, order, undo, filter, groups, title, print and files, in three languages. */
// @module-tag sized
import { readFileSync } from "node:fs";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFaults, readSite, watchShifts } from "../support/browser/index.ts";
import { drawn } from "../support/tier.ts";

const { url, reading } = readSite();
const KEY = "commonplace-favourites:/sub/";
const PHONE = { viewport: { width: 360, height: 740 }, serviceWorkers: "block" } as const;
const DESK = { viewport: { width: 1280, height: 900 }, serviceWorkers: "block" } as const;

const favourite = (n: number) => ({
  ...{ pk: n, quote: `Quote ${n}.`, author: n % 2 === 0 ? "Ada" : "Bo", lang: "en", dir: "ltr" },
  ...{ path: `/quote/${n}/`, by: "", tags: [[n % 3 === 0 ? "wit" : "love", ""]] },
  at: `2026-11-${String(10 + (n % 5)).padStart(2, "0")}T08:00:00.000Z`,
});

/** Opens the page with so many quotes, of which the last comes first. */
async function open(page: Page, count: number, path = "favourites/"): Promise<void> {
  await page.goto(`${url()}sw.js`);
  const list = Array.from({ length: count }, (_, at) => favourite(at + 1));
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    KEY,
    JSON.stringify(list),
  ] as const);
  await page.goto(url() + path);
  if (count > 0) await page.locator(".found blockquote").first().waitFor();
}

const texts = (page: Page) => page.locator(".found blockquote").allTextContents();
const numbers = async (page: Page) => (await texts(page)).map((text) => Number(/\d+/.exec(text)));
const stored = (page: Page) =>
  page.evaluate(
    (key) =>
      JSON.parse(localStorage.getItem(key) ?? "[]") as { pk: number; note?: string; at?: string }[],
    KEY,
  );

test("a note is stored by itself, also when the reader leaves at once, and what another tab adds stays", async () => {
  await reading(DESK, async (page) => {
    await open(page, 2);
    const note = page.getByRole("textbox", { name: "Note" }).first();
    await note.fill("Read on a train.");
    await page.locator(".found output").first().getByText("Saved").waitFor();
    expect((await stored(page)).map((one) => one.note)).toEqual([undefined, "Read on a train."]);
    await note.fill("Left at once.");
    const tab = await page.context().newPage();
    await tab.goto(`${url()}sw.js`);
    await tab.evaluate(
      ([key, more]) => {
        const list = JSON.parse(localStorage.getItem(key) ?? "[]") as object[];
        localStorage.setItem(key, JSON.stringify([...list, JSON.parse(more)]));
      },
      [KEY, JSON.stringify(favourite(3))] as const,
    );
    await page.goto(`${url()}about/`);
    expect((await stored(page)).map(({ pk, note }) => [pk, note])).toEqual([
      [1, undefined],
      [2, "Left at once."],
      [3, undefined],
    ]);
  });
});

test(
  "the order changes by the menu, with the keyboard, and by hand",
  { tags: "long" },
  async () => {
    await reading(DESK, async (page) => {
      await open(page, 3);
      expect(await numbers(page)).toEqual([3, 2, 1]);
      await page.locator(".found .down").first().press("Enter");
      expect(await numbers(page)).toEqual([2, 3, 1]);
      expect(await page.evaluate(() => document.activeElement?.className)).toBe("down");
      await page.locator(".found .up").nth(2).click();
      expect(await numbers(page)).toEqual([2, 1, 3]);
      const handle = page.locator(".found .handle").nth(2);
      const [from, to] = [
        await handle.boundingBox(),
        await page.locator(".found > li").first().boundingBox(),
      ];
      await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10);
      await page.mouse.down();
      await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 60, { steps: 8 });
      await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 5, { steps: 8 });
      await page.mouse.up();
      await expect.poll(() => numbers(page)).toEqual([3, 2, 1]);
      await page.reload();
      await expect.poll(() => numbers(page)).toEqual([3, 2, 1]);
    });
  },
);

test("a removed quote comes back to its place, with its note", { tags: "long" }, async () => {
  await reading(DESK, async (page) => {
    await open(page, 3);
    await page.getByRole("textbox", { name: "Note" }).nth(1).fill("Mine.");
    await page.locator(".found output").nth(1).getByText("Saved").waitFor();
    await page.locator(".found .remove").nth(1).click();
    expect(await numbers(page)).toEqual([3, 1]);
    await page.locator("#page-status button").click();
    await expect.poll(() => numbers(page)).toEqual([3, 2, 1]);
    expect(await page.getByRole("textbox", { name: "Note" }).nth(1).inputValue()).toBe("Mine.");
  });
});

test(
  "above ten quotes there are a filter and groups, and neither changes the order",
  { tags: "long" },
  async () => {
    await reading(DESK, async (page) => {
      await open(page, 10);
      expect(await page.locator(".sift").isVisible()).toBe(false);
      await open(page, 12);
      const filter = page.getByRole("searchbox", { name: "Find in your book" });
      await filter.fill("adá 1");
      expect(await numbers(page)).toEqual([12, 10]);
      expect(await page.locator(".found .up:visible").count()).toBe(0);
      await filter.fill("xqzzk");
      expect(await page.textContent("quote-favourites [role=status]")).toBe(
        "Nothing in your book has these words.",
      );
      await filter.fill("");
      const groups = () => page.locator(".found h2").allTextContents();
      for (const [by, names] of [
        ["author", ["Ada", "Bo"]],
        ["tag", ["love", "wit"]],
        [
          "day",
          [
            "November 14, 2026",
            "November 13, 2026",
            "November 12, 2026",
            "November 11, 2026",
            "November 10, 2026",
          ],
        ],
      ] as const) {
        await page.getByRole("combobox", { name: "Order" }).selectOption(by);
        expect(await groups()).toEqual(names);
        expect(await axeFaults(page)).toEqual([]);
      }
      expect((await stored(page)).map(({ pk }) => pk)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
      ]);
    });
  },
);

test(
  "a title, the notes and the order are in the book and in the export, which reads an older file, too",
  { tags: "long" },
  async () => {
    await reading({ ...DESK, acceptDownloads: true }, async (page) => {
      await open(page, 2);
      await page.getByRole("textbox", { name: "Title of your book" }).fill("Winter & spring");
      expect(await page.textContent("h1")).toContain("Winter & spring");
      await page.getByRole("textbox", { name: "Note" }).first().fill("A <note>.");
      await page.locator(".found output").first().getByText("Saved").waitFor();
      const [book] = await Promise.all([page.waitForEvent("download"), page.click("button.book")]);
      const parts = Object.entries(unzipSync(readFileSync(await book.path())));
      const chapter = parts
        .map(([name, bytes]) => (name.includes("chapter") ? strFromU8(bytes) : ""))
        .join("");
      expect(chapter).toContain("A &lt;note&gt;.");
      expect(chapter.indexOf("Quote 2.")).toBeLessThan(chapter.indexOf("Quote 1."));
      expect(parts.map(([, bytes]) => strFromU8(bytes)).join("")).toContain(
        "<dc:title>Winter &amp; spring</dc:title>",
      );
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.click("button.export"),
      ]);
      const file = JSON.parse(readFileSync(await saved.path(), "utf8")) as Record<string, unknown>;
      // What earlier versions of the site read.
      expect(file).toMatchObject({
        format: "commonplace-favourites",
        version: 1,
        favourites: [{ pk: 1 }, { pk: 2, note: "A <note>." }],
      });
      await open(page, 0);
      await page.evaluate(() => localStorage.removeItem("commonplace-book:/sub/"));
      await page.reload();
      await page.setInputFiles("input[type=file]", await saved.path());
      await expect.poll(() => page.textContent("h1")).toContain("Winter & spring");
      expect(await page.getByRole("textbox", { name: "Note" }).first().inputValue()).toBe(
        "A <note>.",
      );
      // A file without days, notes and title, of an earlier version.
      const { at: _, ...old } = favourite(7);
      const buffer = Buffer.from(JSON.stringify([old]));
      await page.setInputFiles("input[type=file]", {
        name: "old.json",
        mimeType: "application/json",
        buffer,
      });
      await expect.poll(() => numbers(page)).toEqual([7, 2, 1]);
    });
  },
);

test("print has all quotes with their notes, and no field", { tags: "long" }, async () => {
  await reading(DESK, async (page) => {
    await open(page, 120);
    await page.getByRole("textbox", { name: "Note" }).first().fill("For paper.");
    await page.locator(".found output").first().getByText("Saved").waitFor();
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".found blockquote:visible").count()).toBe(120);
    expect(await page.locator(".noted:visible").first().textContent()).toBe("For paper.");
    expect(await page.locator(":is(textarea, button, input, select):visible").count()).toBe(0);
  });
});

test(
  "an empty field has the direction of the page, and one with text that of its text",
  { tags: "long" },
  async () => {
    await reading(DESK, async (page) => {
      for (const [path, dir] of [
        ["ar/", "rtl"],
        ["ar/search/", "rtl"],
        ["he/favourites/", "rtl"],
        ["favourites/", "ltr"],
      ] as const) {
        await open(page, path.endsWith("favourites/") ? 12 : 0, path);
        const fields = page.locator("main [dir=auto]:is(input, textarea):visible");
        const count = await fields.count();
        expect(count, path).toBe(path.endsWith("favourites/") ? 14 : 1);
        // Of the notes, the last.
        for (const field of [fields.first(), fields.nth(count - 2), fields.last()]) {
          const direction = () => field.evaluate((it) => getComputedStyle(it).direction);
          for (const [text, wanted] of [
            ["", dir],
            ["love", "ltr"],
            ["حب", "rtl"],
            ["", dir],
          ] as const) {
            await field.fill(text);
            expect(await direction(), `${path}: ${text}`).toBe(wanted);
          }
          if (count === 1) break;
        }
      }
    });
  },
);

const IN: readonly (readonly [code: string, path: string])[] = [
  ["ar", "ar/favourites/"],
  ["be", "be/favourites/"],
  ["en", "favourites/"],
];

describe.each(drawn(IN, 1))("in %s", (code, path) => {
  test(
    "an empty book begins with three quotes of today, and has Import alone",
    { tags: "long" },
    async () => {
      await reading(PHONE, async (page) => {
        const shifted = await watchShifts(page);
        await open(page, 0, path);
        await page.locator(".begin").waitFor();
        expect(await page.locator(".begin article").count()).toBe(3);
        expect(
          await page.locator("quote-favourites :is(.tools button, .tools label):visible").count(),
        ).toBe(1);
        expect(await axeFaults(page)).toEqual([]);
        expect(await shifted()).toBeLessThanOrEqual(0.02);
        await page.locator('.begin [data-act="keep"]:enabled').first().press("Enter");
        await page.locator(".found blockquote").waitFor();
        expect(await page.locator(".begin").isVisible()).toBe(false);
        expect(await page.locator(".found a:focus").count()).toBe(1);
        expect((await stored(page))[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT/);
      });
    },
  );

  test("every control has a name and 44 px, and axe finds nothing", async () => {
    await reading(PHONE, async (page) => {
      await open(page, 12, path);
      expect(await axeFaults(page)).toEqual([]);
      const controls = page.locator(
        "quote-favourites :is(button, textarea, input:not(.hidden), select):visible",
      );
      const small = await controls.evaluateAll((all) =>
        all.flatMap((one) => (one.getBoundingClientRect().height < 44 ? one.outerHTML : [])),
      );
      expect(small, code).toEqual([]);
      // A date of numbers and dots takes the direction of the words around it.
      const date = page.locator(".kept-on time").first();
      expect(await date.getAttribute("dir")).toBe("auto");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    });
  });
});
