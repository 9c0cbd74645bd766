/** Copying and keeping, in a real browser below a base path. */
import { readFileSync } from "node:fs";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageReader } from "../support/browser/index.ts";
import { VERSE } from "../support/snapshot/index.ts";

const KEY = "commonplace-favourites:/sub/";
const BLAKE = "author/william-blake/";

const { url, reader, another, open, clipboard } = pageReader();

/** Presses a button of the first card, or of its menu. */
async function act(name: string): Promise<void> {
  const { page } = reader();
  const ofCard = page.locator(`article.quote [data-act="${name}"]`).first();
  if ((await ofCard.count()) > 0) await ofCard.click();
  else {
    await page.click("article.quote .more");
    await page.locator("#card-menu button:focus").waitFor();
    const inMenu = page.locator(`#card-menu [data-act="${name}"]`);
    if (!(await inMenu.isVisible())) await page.click("#card-menu summary");
    await inMenu.click();
  }
  await page.waitForFunction(() => document.querySelector("#page-status")?.textContent !== "");
}

/** Of the author and the tags of what is kept. */
const linksOf = (page: Page) =>
  page.$$eval(".found :is(.by, .notes) a", (links) => links.map((a) => a.getAttribute("href")));

async function download(button: string) {
  const { page } = reader();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return saved;
}

test("a quote is copied as text, Markdown, HTML and link", async () => {
  await open(BLAKE);
  await act("text");
  await expect.poll(clipboard).toBe(`“${VERSE}”\n— William Blake`);
  await act("markdown");
  await expect.poll(clipboard).toContain("> “Tyger Tyger, burning bright,\\\n> In the forests");
  await act("html");
  await expect.poll(clipboard).toContain("<br>In the forests of the night;<br>");
  await act("link");
  await expect.poll(clipboard).toMatch(/\/sub\/quote\/\d+\/$/);
  expect(reader().errors).toEqual([]);
});

test(
  "the menu opens at each button anew, closes with it, and gives the focus back",
  { tags: "long" },
  async () => {
    await open("language/en/");
    const { page } = reader();
    const menu = page.locator("#card-menu");
    for (const at of [0, 3, 0]) {
      const button = page.locator(".more").nth(at);
      await button.click();
      await menu.locator("button:focus").waitFor();
      const [box, own] = [await menu.boundingBox(), await button.boundingBox()];
      const away = Math.min(
        Math.abs((own?.y ?? 0) + (own?.height ?? 0) - (box?.y ?? 1_000)),
        Math.abs((own?.y ?? 0) - (box?.y ?? 1_000) - (box?.height ?? 0)),
      );
      expect(away).toBeLessThan(10);
      await button.click();
      await menu.waitFor({ state: "hidden" });
      await button.press("Enter");
      await menu.locator("button:focus").waitFor();
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "hidden" });
      await expect.poll(() => button.evaluate((it) => document.activeElement === it)).toBe(true);
    }
  },
);

test("a menu that could not be loaded once opens at the second press", async () => {
  const { page, errors } = reader();
  let asked = 0;
  // Interception stays: to end it while the page loads anew can lose a request.
  await page.route(/\/menu\.[^/]+\.js$/, (route) =>
    asked++ === 0 ? route.abort() : route.continue(),
  );
  await open(BLAKE);
  const again = page.waitForEvent("load");
  await page.click("article.quote .more");
  await again;
  await page.click("article.quote .more");
  await page.locator("#card-menu button:focus").waitFor();
  await expect.poll(() => errors.join()).toContain("dynamically imported");
  await page.unrouteAll({ behavior: "wait" });
});

test("a quote's own page keeps, copies, and leads to its neighbour", { tags: "long" }, async () => {
  await open(BLAKE);
  const { page, errors } = reader();
  await page.click("article.quote .permalink");
  await page.click('article [data-act="text"]');
  await expect.poll(clipboard).toBe(`“${VERSE}”\n— William Blake`);
  await page.click('article [data-act="keep"]');
  await page.getByRole("button", { name: "Kept", pressed: true }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Kept", pressed: true }).waitFor();
  const first = page.url();
  await page.click('.pager [rel="next"]');
  await page.waitForURL((url) => url.href !== first);
  const second = page.url();
  expect(second).toMatch(/\/sub\/quote\/\d+\/$/);
  await page.click('.acts [data-act="link"]');
  await expect.poll(clipboard).toBe(second);
  expect(errors).toEqual([]);
});

test(
  "the button below a quote does what it says, also after another tab kept the quote or let go of it",
  { tags: "long" },
  async () => {
    await open(BLAKE);
    const { page } = reader();
    await page.click("article.quote .permalink");
    const keep = page.locator('article [data-act="keep"]');
    const said = async () => (await keep.textContent())?.trim();
    await expect.poll(said).toBe("Keep");
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.click('article [data-act="keep"]');
    await expect.poll(said).toBe("Kept");
    // What a browser says of a page from its back-forward cache, which gets no storage events.
    await page.evaluate((key) => {
      localStorage.removeItem(key);
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    }, KEY);
    await expect.poll(said).toBe("Keep");
  },
);

test("where the browser offers no clipboard, the key for it says that nothing was copied", async () => {
  const { page, errors } = reader();
  // Browsers offer it on https and on this machine alone.
  await using _ = await page.addInitScript("delete Navigator.prototype.clipboard");
  await open(BLAKE);
  await page.keyboard.press("c");
  await expect.poll(() => page.textContent("#page-status")).toBe("Could not copy");
  expect(errors).toEqual([]);
});

test("a message goes after a while, a later one after its own", async () => {
  const own = await another();
  const { page } = own;
  await page.clock.install();
  await page.goto(url() + BLAKE);
  const shown = () => page.textContent("#page-status");
  await page.keyboard.press("c");
  await expect.poll(shown).not.toBe("");
  await page.clock.runFor(9_000);
  await page.keyboard.press("f");
  await expect.poll(shown).toBe("Kept · See all (1) · Undo");
  await page.clock.runFor(9_000);
  expect(await shown()).toBe("Kept · See all (1) · Undo");
  await page.clock.runFor(2_000);
  expect(await shown()).toBe("");
  await own.close();
});

test("a quote is kept, listed, exported, imported in another browser, and removed", async () => {
  // Browsers offer it on https and on this machine alone.
  await using _ = await reader().page.addInitScript("delete Crypto.prototype.randomUUID");
  await open(BLAKE);
  await act("keep");
  await open("favourites/");
  expect(await reader().page.textContent(".found blockquote")).toBe(VERSE);
  const links = ["/sub/author/william-blake/", "/sub/tag/tigers/", "/sub/tag/night/"];
  expect(await linksOf(reader().page)).toEqual(links);
  const file = await (await download(".export")).path();
  const book = await download(".book");
  expect(book.suggestedFilename()).toBe("favourites.epub");
  const chapters = Object.entries(unzipSync(readFileSync(await book.path())));
  const contents = chapters.map(([, bytes]) => strFromU8(bytes)).join("");
  expect(contents).toContain(VERSE);
  expect(contents).toMatch(/urn:uuid:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}</);
  const other = await another();
  await other.page.goto(`${url()}favourites/`);
  await other.page.evaluate(() => (document.documentElement.lang = "bn"));
  await other.page.setInputFiles("input[type=file]", file);
  await other.page.waitForSelector(".found blockquote");
  expect(await other.page.textContent("[role=status]")).toBe("Imported: ১");
  expect(await other.page.getAttribute(".found a", "href")).toMatch(/^\/sub\/quote\/\d+\/$/);
  await other.page.click(".found .remove");
  await expect.poll(() => other.page.locator(".found > li").count()).toBe(0);
  await other.close();
});

test(
  "what another tab keeps is listed, and stays when another quote is removed",
  { tags: "long" },
  async () => {
    await open(BLAKE);
    await act("keep");
    await open("favourites/");
    const { page } = reader();
    const tab = await page.context().newPage();
    await tab.goto(url());
    await tab.evaluate((key) => {
      const [kept, ...rest] = JSON.parse(localStorage.getItem(key) ?? "") as object[];
      const other = { ...kept, pk: 9_999, quote: "Kept elsewhere.", path: "/quote/9999/" };
      localStorage.setItem(key, JSON.stringify([kept, ...rest, other]));
    }, KEY);
    const texts = (): Promise<string[]> => page.locator(".found blockquote").allTextContents();
    await expect.poll(texts).toEqual(["Kept elsewhere.", VERSE]);
    await page.locator(".found .remove").nth(1).click();
    await expect.poll(texts).toEqual(["Kept elsewhere."]);
    await page.reload();
    await expect.poll(texts).toEqual(["Kept elsewhere."]);
  },
);

test(
  "ten thousand favourites are shown a screen at a time, and one more can be kept",
  { tags: "long" },
  async () => {
    await open("favourites/");
    await reader().page.evaluate((key) => {
      const list = Array.from({ length: 10_000 }, (_, n) => ({
        pk: n + 1_000,
        quote: `Quote ${n} `.repeat(12),
        author: "A writer",
        lang: "en",
        dir: "ltr",
        path: `/quote/${n + 1_000}/`,
      }));
      localStorage.setItem(key, JSON.stringify(list));
    }, KEY);
    await open(BLAKE);
    await act("keep");
    await open("favourites/");
    await expect.poll(() => reader().page.locator(".found > li").count()).toBe(100);
    expect(await reader().page.textContent(".found blockquote")).toBe(VERSE);
  },
);

test.each([
  [
    "full",
    `Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError") }`,
    /full/,
  ],
  [
    "blocked",
    `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("", "SecurityError") } })`,
    /does not let/,
  ],
])("a %s storage is reported, and the page still works", async (state, script, said) => {
  const only = `if (/author|favourites/.test(location.pathname)) { ${script} }`;
  await using _only = await reader().page.addInitScript(only);
  await open(BLAKE);
  await act("keep");
  await expect.poll(() => reader().page.textContent("#page-status")).toMatch(said);
  await act("link");
  await open("favourites/");
  // Where nothing can be kept, nothing explains how to keep it.
  await expect
    .poll(() => reader().page.locator(":is(.begin, .tools):visible").count())
    .toBe(state === "blocked" ? 0 : 2);
  expect(reader().errors).toEqual([]);
});

test("each list that cannot be read stays under a name of its own", { tags: "long" }, async () => {
  const { page } = reader();
  for (const damaged of ["{first", "{second"]) {
    await page.goto(url());
    await page.evaluate(([key, text]) => localStorage.setItem(key, text), [KEY, damaged] as const);
    await open(BLAKE);
    await act("keep");
    await expect.poll(() => page.textContent("#page-status")).toMatch(/could not be read/);
  }
  const aside = await page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.includes(":damaged:"))
      .map(([, text]) => text as string),
  );
  expect(aside.sort()).toEqual(["{first", "{second"]);
});

test("a file of another program brings nothing in, and no address that leads away", async () => {
  await open("favourites/");
  const upload = (text: string) =>
    reader().page.setInputFiles("input[type=file]", {
      name: "x.json",
      mimeType: "application/json",
      buffer: Buffer.from(text),
    });
  await upload("<html>");
  await expect.poll(() => reader().page.textContent("[role=status]")).toMatch(/no favourites/);
  const kept = { pk: 1, quote: "<img src=x>", author: "x", lang: "en", dir: "ltr", by: "//a/" };
  const tags = [["x", "//evil.example/tag/x/"], ["y", "/tag/y/"], [3, "/tag/z/"], "/tag/a/"];
  const paths = ["javascript:alert(1)", "//evil.example/", "/author/../../x/#q1", "/quote/1/"];
  await upload(
    JSON.stringify(paths.map((path, index) => ({ ...kept, tags, pk: index + 1, path }))),
  );
  await reader().page.waitForSelector(".found li");
  expect(await linksOf(reader().page)).toEqual([null, "/sub/tag/y/"]);
  expect(await reader().page.textContent(".found .notes")).toBe("xy");
  const shown = await reader().page.locator(".found > li > a").all();
  const hrefs = await Promise.all(shown.map((link) => link.getAttribute("href")));
  expect(hrefs).toEqual(["/sub/quote/1/"]);
});

test("a file that is dropped on the list is imported, and a folder is said to hold no favourites", async () => {
  await open("favourites/");
  const { page, errors } = reader();
  /** Drops a file of such a text, or what a browser gives for a folder. */
  const drop = (text: string | null) =>
    page.evaluate((content) => {
      const file = new File([content ?? ""], "favourites.json", { type: "application/json" });
      if (content === null) file.text = () => Promise.reject(new DOMException("", "NotFoundError"));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      Object.defineProperty(dataTransfer, "files", { value: [file] });
      const target = document.querySelector("quote-favourites .tools");
      const opened = ["dragover", "drop"].map((type) => {
        const event = new DragEvent(type, { bubbles: true, cancelable: true });
        Object.defineProperty(event, "dataTransfer", { value: dataTransfer });
        return target?.dispatchEvent(event);
      });
      // The browser opens a dropped file where nothing prevents it.
      if (opened.some((isOpened) => isOpened !== false)) throw new Error("opened");
    }, text);
  const status = expect.poll(() => page.textContent("[role=status]"));
  await drop(null);
  await status.toMatch(/no favourites/);
  await expect.poll(() => page.locator(".begin").isVisible()).toBe(true);
  const kept = { pk: 1, quote: "x", author: "x", lang: "en", dir: "ltr", path: "/quote/1/" };
  await drop(JSON.stringify([kept]));
  await page.waitForSelector(".found li");
  await expect.poll(() => page.locator(".begin").isVisible()).toBe(false);
  await status.toContain("1");
  expect(errors).toEqual([]);
});
