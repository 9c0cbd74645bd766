/** Names, suggestions, and what is typed by keyboards of all kinds, in the search in a real browser below a base path. */
import { beforeAll, expect, test } from "vitest";
import {
  ask,
  askNext,
  axeFaults,
  firstAnswers,
  inChromium,
  newReader,
  type Reader,
  type Served,
  serveSearched,
  useBrowser,
} from "../support/browser/index.ts";
import { HOOK_MS } from "../support/vitest/limits.ts";
import { inTiers } from "../support/tier.ts";

const DRAFTS = [
  ...["es", "fr", "it", "tr"].map((language) => ({
    text: `Verba ${language}quandia`,
    language,
    author: "Caius",
  })),
  { text: "Two thistles gather dust above the mill.", language: "en", tags: ["U.S. history"] },
  { text: "Don’t wait for the ferry.", language: "en", author: "Flann O’Brien" },
  { text: "L’oubli n’efface rien.", language: "fr" },
  { text: "Обов’язок чекає.", language: "uk" },
  { text: "己所不欲，勿施于人。", language: "zh", author: "孔子" },
];

let served: Served;
const browser = useBrowser();
let reader: Reader;

beforeAll(async () => {
  ({ served, reader } = await serveSearched(DRAFTS, browser()));
}, HOOK_MS);

test("authors and tags come above the quotes, and Enter goes to an exact name", async () => {
  const { page, errors } = reader;
  await ask(page, served.url, "caius");
  const named = () =>
    page.$$eval(".names li", (items) =>
      items.map((item) => [
        item.querySelector("a")?.getAttribute("href"),
        item.textContent.replace(/\s+/g, " ").trim(),
      ]),
    );
  expect(await named()).toEqual([["/sub/author/caius/", "Caius Author · 4"]]);
  // One column: a name and what it is have the width of the text.
  const width = await page.$eval(".names", (list) => getComputedStyle(list).columnWidth);
  expect(width).toBe("auto");
  await page.fill("input[name=q]", "ciaus");
  await expect.poll(named).toEqual([["/sub/author/caius/", "Caius Author · 4"]]);
  // A filter keeps the reader on the page of the search.
  await page.goto(`${served.url}search/?q=CAIUS&language=es`);
  await page.waitForSelector(".found > li");
  await page.press("input[name=q]", "Enter");
  await page.waitForSelector(".found[aria-busy=false] > li");
  expect(page.url()).toContain("/search/?q=CAIUS&language=es");
  await page.goto(`${served.url}search/?q=U.S.+history`);
  await expect.poll(named).toEqual([["/sub/tag/u-s-history/", "U.S. history Tag · 1"]]);
  await page.press("input[name=q]", "Enter");
  await page.waitForURL(/\/sub\/tag\/u-s-history\/$/);
  await page.goBack();
  await expect.poll(named).toHaveLength(1);
  // Without the list the quotes are found all the same.
  await page.route("**/_lists/**", (route) => route.abort());
  const [answer] = await ask(page, served.url, "thistles gather");
  expect(answer?.text).toBe("Two thistles gather dust above the mill.");
  expect(await named()).toEqual([]);
  await page.unrouteAll();
  errors.length = 0;
});

test(
  "names are suggested while one types, for the keys and a screen reader",
  { tags: "long" },
  async () => {
    const own = await newReader(browser());
    const { page } = own;
    await page.goto(`${served.url}search/`);
    const field = page.locator("input[role=combobox]");
    const options = page.locator("[role=listbox] [role=option]");
    const chosen = () =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute("aria-activedescendant");
        return id ? document.getElementById(id)?.textContent : null;
      });
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await field.pressSequentially("caiu");
    await options.first().waitFor();
    expect(await options.allTextContents()).toEqual(["Caius Author · 4"]);
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    expect(await axeFaults(page)).toEqual([]);
    expect(await chosen()).toBeNull();
    await page.keyboard.press("ArrowDown");
    expect(await chosen()).toBe("Caius Author · 4");
    expect(await options.first().getAttribute("aria-selected")).toBe("true");
    await page.emulateMedia({ forcedColors: "active" });
    const outlines = await options.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).outlineStyle),
    );
    expect(outlines.map((style) => style === "solid")).toEqual(outlines.map((_, at) => at === 0));
    await page.emulateMedia({ forcedColors: "none" });
    await page.keyboard.press("ArrowUp");
    expect(await chosen()).toBeNull();
    // Escape keeps the text, and the next one would clear the field as elsewhere.
    await page.keyboard.press("Escape");
    expect(await page.isVisible("[role=listbox]")).toBe(false);
    expect(await field.inputValue()).toBe("caiu");
    // After the last suggestion come the answers.
    await field.pressSequentially("s");
    await options.first().waitFor();
    // The answers of the text before go when the search begins.
    await page.waitForURL(/\?q=caius$/);
    await page.waitForSelector(".found[aria-busy=false] > li");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".found > li:first-child > a:focus").count()).toBe(1);
    expect(await page.isVisible("[role=listbox]")).toBe(false);
    await field.fill("caius");
    await options.first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/sub\/author\/caius\/$/);
    await page.goBack();
    await field.fill("caiu");
    await options.first().click();
    await page.waitForURL(/\/sub\/author\/caius\/$/);
    expect(own.errors).toEqual([]);
    await own.close();
  },
);

test(
  "without WebAssembly names are found, and the page says why quotes are not",
  { tags: "long" },
  async () => {
    const own = await newReader(browser());
    const { page } = own;
    await page.addInitScript("delete globalThis.WebAssembly");
    await page.goto(`${served.url}search/`);
    expect(await page.isVisible(".without")).toBe(false);
    await page.goto(`${served.url}search/?q=caius`);
    await page.waitForSelector(".without a");
    expect(await page.textContent("[role=status]")).toContain("WebAssembly is turned off");
    expect(await page.getAttribute(".names a", "href")).toBe("/sub/author/caius/");
    expect(await page.getAttribute(".without a", "href")).toBe("/sub/authors/");
    expect(own.errors).toEqual([]);
    await own.close();
  },
);

for (const { cases, options } of inTiers(
  [
    [
      "Two thistles gather dust above the mill.",
      ...["tag:thistles", "by: thistles", "thistles:gather", "thistles,gather;dust"],
      ...["<b>thistles</b>", "<img src=x onerror=alert(1)>thistles", "(thistles)", "[thistles"],
      ...["“thistles gather”", "„thistles gather“", "'thistles gather'", "🌱 thistles ❤️"],
      ...["thistles!", "¿thistles?", "thistles…"],
    ],
    ["Verba frquandia", "author:caius frquandia", "author:“Caius” frquandia"],
    ["己所不欲，勿施于人。", "己所不欲！", "《己所不欲》"],
  ],
  1,
))
  test.each(cases)(
    "%s is found by words, whatever is between them",
    options,
    async (text, ...queries) => {
      const { page, errors } = reader;
      await page.goto(`${served.url}search/`);
      for (const query of queries) {
        const [answer] = await askNext(page, query);
        expect(answer?.text.trim(), query).toBe(text);
      }
      // An address may have more than the field takes.
      const [long] = await ask(page, served.url, `${text} `.repeat(40));
      expect(long?.text.trim()).toBe(text);
      expect(errors).toEqual([]);
    },
  );

test("a hint says which names are meant", { tags: "long" }, async () => {
  const { page } = reader;
  await page.goto(`${served.url}search/`);
  for (const [query, names] of [
    ["author:caius", ["Caius"]],
    ["By:caius", ["Caius"]],
    ["tag:caius", []],
    ["tag: history", ["U.S. history"]],
    ["author:history", []],
    ["caius", ["Caius"]],
  ] as const) {
    await askNext(page, query);
    expect(await page.locator(".names a").allTextContents(), query).toEqual(names);
  }
  await page.fill("input[name=q]", "author:caius");
  await page.press("input[name=q]", "Enter");
  await page.waitForURL(/\/sub\/author\/caius\/$/);
});

test(
  "a hint says which language is searched, by its code or one of its names",
  { tags: "long" },
  async () => {
    const { page, errors } = reader;
    await page.goto(`${served.url}search/`);
    for (const [query, text] of [
      ["lang:it caius", "Verba itquandia"],
      ["language:Turkish caius", "Verba trquandia"],
      ["caius lang: français", "Verba frquandia"],
      ["lang:uk", "Обов’язок чекає."],
      ["lang:en caius", undefined],
    ] as const) {
      const answers = await askNext(page, query);
      expect(answers[0]?.text.trim(), query).toBe(text);
    }
    // Enter on a name goes to no page of quotes in all languages.
    await page.fill("input[name=q]", "lang:it caius");
    await page.press("input[name=q]", "Enter");
    await expect.poll(() => page.locator(".found > li").count()).toBe(1);
    expect(page.url()).toContain("/search/");
    expect(errors).toEqual([]);
  },
);

test("a message names what was searched, as text", { tags: "long" }, async () => {
  const { page, errors } = reader;
  const long = "xylofonqx ".repeat(200);
  for (const [query, shown] of [
    ['"xylofonqx"', "xylofonqx"],
    ["“xylofonqx zw", "xylofonqx zw"],
    ["<b>xylofonqx</b>", "xylofonqx"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["\u202Exylofonqx", "xylofonqx"],
    ["author:xylofonqx", "xylofonqx"],
    ["???", "???"],
    ["❤️🔥", "❤️🔥"],
    [long, long.slice(0, 299)],
  ] as const) {
    await ask(page, served.url, query);
    const said = `No quote has “\u2068${shown}\u2069”. Try fewer words, or a name.`;
    await expect.poll(() => page.textContent("[role=status]")).toBe(said);
    expect(await page.locator(".names a, .found > li, [role=status] *").count()).toBe(0);
  }
  expect(errors).toEqual([]);
});

test("where no quote has all words, what has some of them is shown, and said so", async () => {
  const { page, errors } = reader;
  await page.goto(`${served.url}search/`);
  const mill = "Two thistles gather dust above the mill.";
  for (const [query, searched, text, names] of [
    ["quotes about thistles", "thistles", mill, []],
    ["xylofonqx thistles dust", "thistles dust", mill, []],
    // The index is asked for the longest words alone.
    ["thistles gather zq", "thistles gather", mill, []],
    ["caius thistles", "caius", "Verba frquandia", ["/sub/author/caius/"]],
    ["mill’s ferry", "ferry", "Don’t wait for the ferry.", []],
    ['"thistles gather rain"', undefined, undefined, []],
    ["xylofonqx zwqq", undefined, undefined, []],
  ] as const) {
    const [answer] = await askNext(page, query);
    const said = (await page.textContent("[role=status]")) ?? "";
    const [, shown] =
      /^No quote has all of these words\. With “\u2068(.*)\u2069”: \d+\+? quotes?$/.exec(said) ??
      [];
    expect(shown, query).toBe(searched);
    if (text !== undefined) expect(answer?.text.trim(), query).toBe(text);
    if (searched === undefined) expect(said).toMatch(/^No quote has “/);
    const links = await page.$$eval(".names a", (all) => all.map((a) => a.getAttribute("href")));
    expect(links, query).toEqual(names);
  }
  // The next query begins without what was said of this one.
  await askNext(page, "thistles");
  expect(await page.textContent("[role=status]")).toBe("1 quote");
  // A name without an address looks like none.
  const line = (links: Element[]) => links.map((link) => getComputedStyle(link).textDecorationLine);
  expect(await page.locator(".found .by a").evaluateAll(line)).toEqual(["none"]);
  expect(errors).toEqual([]);
});

test("a quotation mark alone finds nothing yet", async () => {
  const { page } = reader;
  await page.goto(`${served.url}search/?q=%22`);
  await expect.poll(() => page.textContent("[role=status]")).toMatch(/^No quote has /);
});

/** Longer than the pause after a key. */
const PAUSE_MS = 600;

inChromium(
  "text of an input method is searched once it is whole, and Enter ends it alone",
  { tags: "long" },
  async () => {
    const own = await newReader(browser());
    const { page } = own;
    await page.goto(`${served.url}search/`);
    const keyboard = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      keyboard.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    const pressEnter = () =>
      keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Enter", code: "Enter" });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const text of ["j", "ji", "ji s", "己所"]) await compose(text);
    await pressEnter();
    await page.waitForTimeout(PAUSE_MS);
    expect(await page.inputValue("input[name=q]")).toBe("己所");
    expect(asked).toEqual([]);
    expect(page.url()).toBe(`${served.url}search/`);
    await keyboard.send("Input.insertText", { text: "己所" });
    await page.waitForSelector(".found > li");
    expect((await firstAnswers(page))[0]?.text).toContain("己所不欲");
    // A suggestion is chosen by an Enter of its own.
    await page.fill("input[name=q]", "caiu");
    await page.waitForURL(/q=caiu$/);
    await page.locator("[role=option]").first().waitFor();
    await page.keyboard.press("ArrowDown");
    // Browsers tell of such keys in two ways, and some in one of them only.
    for (const sign of [{ isComposing: true }, { keyCode: 229 }])
      for (const key of ["Enter", "ArrowDown", "ArrowUp", "Escape"]) {
        const init = { key, ...sign, bubbles: true, cancelable: true };
        const isLeft = await page
          .locator("input[name=q]")
          .evaluate((field, init) => field.dispatchEvent(new KeyboardEvent("keydown", init)), init);
        expect(isLeft, JSON.stringify(init)).toBe(true);
      }
    expect(await page.locator("[role=option][aria-selected=true]").count()).toBe(1);
    await compose("s");
    await pressEnter();
    await page.waitForTimeout(PAUSE_MS);
    expect(page.url()).toContain("/search/?q=caiu");
    await keyboard.send("Input.insertText", { text: "s" });
    await page.waitForURL(/\?q=caius$/);
    expect(own.errors).toEqual([]);
    await own.close();
  },
);

inChromium(
  "a touch screen's keyboard, which composes every word, is searched as one types",
  { tags: "long" },
  async () => {
    const own = await newReader(browser(), { isMobile: true, hasTouch: true });
    const { page } = own;
    await page.goto(`${served.url}search/`);
    await page.focus("input[name=q]");
    const keyboard = await page.context().newCDPSession(page);
    const word = { text: "thistles", selectionStart: 8, selectionEnd: 8 };
    await keyboard.send("Input.imeSetComposition", word);
    await page.waitForSelector(".found > li");
    expect((await firstAnswers(page))[0]?.text).toContain("thistles");
    await own.close();
  },
);

for (const { cases, options } of inTiers(
  [
    ["don?t", "Don’t wait for the ferry."],
    ["dont", "Don’t wait for the ferry."],
    ["l?oubli", "L’oubli n’efface rien."],
    ["n?efface", "L’oubli n’efface rien."],
    ["oubli", "L’oubli n’efface rien."],
    ["efface", "L’oubli n’efface rien."],
    ["обов?язок", "Обов’язок чекає."],
    ["o?brien", "Don’t wait for the ferry."],
  ],
  1,
))
  test.each(cases)("%s is found with any apostrophe", options, async (word, text) => {
    await reader.page.goto(`${served.url}search/`);
    for (const apostrophe of new Set(word.includes("?") ? "'’‘ʼ＇′`´" : "'")) {
      const [answer] = await askNext(reader.page, word.replace("?", apostrophe));
      expect(answer?.text, apostrophe).toBe(text);
    }
    expect(reader.errors).toEqual([]);
  });

test.each(["o'brien", "o’brien", "O‘Brien", "obrien", "flann obrien"])(
  "the author %s is found",
  { tags: "long" },
  async (name) => {
    await ask(reader.page, served.url, name);
    expect(await reader.page.textContent(".names a")).toBe("Flann O’Brien");
  },
);
