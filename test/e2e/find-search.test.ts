/**
 * Search in a real browser, below a base path, over the embedded collection.
 *
 * With REAL_QUOTES it is over real quotes, and SEARCH_QUOTES=all then takes every quote of the five languages and asks
 * fifty times of each kind; it needs minutes.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { searchedWords } from "../../src/util/fold.ts";
import {
  ask,
  askNext,
  axeFaults,
  firstAnswers,
  newReader,
  type Reader,
  type Served,
  serveFolder,
  inChromium,
  untilQuiet,
  useBrowser,
  watchShifts,
} from "../support/browser/index.ts";
import { indexSite } from "../../src/search/index-site.ts";
import { embeddedCollection } from "../../src/service/collection.ts";
import { buildSite } from "../support/built/index.ts";
import { makeSite } from "../support/site/index.ts";
import { drawn } from "../support/tier.ts";
import { HOOK_MS } from "../support/vitest/limits.ts";
import { type QuoteDraft, realQuotes, SCRIPT_TEXT } from "../support/snapshot/index.ts";

/** Language → sentences, with a form of one of their words that is not in them. */
const INFLECTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ["The valley was echoing every bell.", "echoed"],
    ["He repainted the harbour every morning.", "repainting"],
    ["A lantern flickers where travellers rest.", "flickering"],
    ["They whispered about the old bridge.", "whispering"],
    ["Two thistles gather dust above the mill.", "gathering"],
  ],
  de: [
    ["Die Laternen brennen noch am Ufer.", "Ufers"],
    ["Kein Zaunkönig singt im alten Obstgarten.", "Obstgartens"],
    ["Die Zugbrücke führt in die Berge.", "Zugbrücken"],
    ["Ein gemächlicher Morgen kennt keine Eile.", "gemächlichen"],
    ["Der Seefahrer hoffte auf den Wind.", "hoffen"],
  ],
  fr: [
    ["La falaise garde son silence.", "falaises"],
    ["Une lanterne vacillait encore au bord.", "vaciller"],
    ["Les moineaux gazouillent dans le verger.", "gazouillant"],
    ["Il sifflotait lentement vers la rivière.", "siffloter"],
    ["Une étoile tremblait sur le lac.", "trembler"],
  ],
  es: [
    ["La cordillera espera la nieve.", "cordilleras"],
    ["El pescador susurraba junto al puente.", "susurrar"],
    ["Una linterna iluminaba el camino.", "iluminar"],
    ["Los jardineros duermen en invierno.", "jardinera"],
    ["El vendaval mueve las hojas secas.", "vendavales"],
  ],
  ru: [
    ["Каменная башня помнит каждую весну.", "башни"],
    ["Рыбачка ждала ветра у берега.", "рыбачки"],
    ["Лампада горит над тихой рекой.", "лампады"],
    ["Ласточка поёт в забытом саду.", "ласточки"],
    ["Комета дрожит над озером.", "кометы"],
  ],
};

const LANGUAGES = ["en", "ru", "de", "ar", "hi"] as const;

const ALL = process.env["SEARCH_QUOTES"] === "all";
/** Of hooks and tests: all quotes take minutes to render and to index. */
const timeout = (ALL ? 20 : 1) * HOOK_MS;
/** Quotes of each language. */
const MOST = ALL ? Infinity : 600;

/** Quotes of the five languages. */
function searchedQuotes(): QuoteDraft[] {
  const all =
    (process.env["REAL_QUOTES"] ?? "") === ""
      ? embeddedCollection()
      : realQuotes().map((quote, index) => ({ ...quote, pk: index + 1, likes: index % 97 }));
  const byLanguage = Map.groupBy(all, ({ language }) => language);
  return LANGUAGES.flatMap((code) => byLanguage.get(code)?.slice(0, MOST) ?? []).map(
    ({ pk: id, quote: text, author, tags, language, likes }) => {
      return { id, text, author: author || null, tags, language, likes };
    },
  );
}

/** Every n-th, so that a run asks what the last one asked. */
const spread = <T>(items: readonly T[], many: number): T[] =>
  items
    .filter((_, index) => index % Math.max(1, Math.floor(items.length / many)) === 0)
    .slice(0, many);

const ASKED = ALL ? 50 : 5;

/** Share of the questions whose answer must be among the first three. */
const RIGHT = 0.98;

/** Bytes of the index, as a host sends them, until the first answers are there. */
const BYTES = 250_000;

let quotes: readonly QuoteDraft[];
let served: Served;
const browser = useBrowser();
let reader: Reader;

beforeAll(async () => {
  const tags = ["U.S. history", "Anew"];
  const hostile = { text: SCRIPT_TEXT, author: "<b>Nobody", language: "en", tags };
  const forms = Object.entries(INFLECTIONS).flatMap(([language, rows]) =>
    rows.map(([text]) => ({ text, author: "Anna", language })),
  );
  // Languages of the same script as the two large ones.
  const small = ["es", "fr", "it", "tr"].map((language) => {
    return { text: `Verba ${language}quandia`, author: "Caius", language };
  });
  const accents = [
    { text: "A xalor walks.", language: "en" },
    { text: "Bir xälor geliyor.", language: "tr" },
  ];
  const chinese = [{ text: "己所不欲，勿施于人。", author: "孔子", language: "zh" }];
  // On the last page of its language: it has no likes.
  const last = { text: "A long way from home. ".repeat(5).trim(), language: "en" };
  const searched = searchedQuotes();
  const liked = searched
    .flatMap(({ language, likes }) => (language === "en" ? (likes ?? 0) : []))
    .sort((a, b) => b - a);
  // Two on each page of English.
  const others = Array.from({ length: Math.floor(liked.length / 25) }, (_, index) => ({
    text: `The shaw has a quill, number ${index}.`,
    author: "Bernard Quillshaw",
    language: "en",
    likes: liked[25 * index] ?? 0,
  }));
  const own = { text: "A quill has no shaw.", author: "B. Quillshaw", language: "en", likes: 0 };
  const ours = [
    ...[hostile, ...forms, ...small, ...accents, ...chinese],
    ...[...others, own, last],
  ].map((draft, index) => ({ id: 900_001 + index, ...draft }));
  // Where voting is off the likes are words on the cards.
  const settings = { SITE_BASE: "/sub/", VOTE_BASE_URL: "off" };
  quotes = [...searched, ...ours];
  const curated = quotes.map(({ id }) => id).filter((id) => id % 3 === 0);
  const site = await buildSite({ quotes, curated }, settings);
  using listed = makeSite([], { stateDir: site.stateDir });
  const names = { author: listed.largest("author"), tag: listed.tags() };
  await indexSite({ ...site, curated, names });
  served = await serveFolder(site.outDir, "/sub/");
  reader = await newReader(browser());
}, timeout);

const letters = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

const LANGUAGES_ASKED = new Set([
  "en",
  "ru",
  "ar",
  "fr",
  ...LANGUAGES,
  ...Object.keys(INFLECTIONS),
]);
let asked = 0;
const wrong: string[] = [];

describe.concurrent.each(drawn([...LANGUAGES_ASKED], 4))("in %s", (language) => {
  test("phrases, names and other forms of a word are asked for", { timeout }, async () => {
    const { page, errors, close } = await newReader(browser(), { locale: language });
    await page.goto(`${served.url}search/`);
    const isOne = LANGUAGES.some((one) => one === language);
    const own = quotes.filter((quote) => isOne && quote.language === language);
    for (const { text = "" } of spread(own, ASKED)) {
      const phrase = spaced(text).split(" ").slice(0, 7).join(" ");
      const answers = await askNext(page, phrase);
      const found = answers.find((answer) => answer.text.includes(phrase));
      if (found === undefined) wrong.push(phrase);
      else expect(found.href).toMatch(/\/sub\/language\/[^#]+#q\d+$/);
      asked++;
    }
    const names = [...new Set(own.map(({ author }) => author ?? ""))].filter((name) =>
      /\p{L}{3}/u.test(name),
    );
    for (const name of spread(names, ASKED)) {
      const answers = await askNext(page, name);
      if (!answers.some(({ by }) => letters(by) === letters(name))) wrong.push(name);
      asked++;
    }
    for (const [text, form] of INFLECTIONS[language] ?? []) {
      const [stem = ""] = searchedWords(form);
      expect(searchedWords(text).filter((word) => word.startsWith(stem))).toEqual([]);
      const found = (await askNext(page, form)).find((answer) => answer.text === text);
      expect(found, form).toBeDefined();
      expect(found?.marked).toHaveLength(1);
    }
    expect(errors).toEqual([]);
    await close();
  });
});

test("phrases and names in several languages found their quotes among the first three", () => {
  expect(asked).toBeGreaterThan(ASKED * 4);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(asked * (1 - RIGHT));
});

test("nothing of the index is loaded before the first key, and little until the first answers", async () => {
  const sizes: number[] = [];
  for (const { text = "" } of spread(quotes, ALL ? 11 : 3)) {
    const fresh = await newReader(browser());
    await fresh.page.goto(`${served.url}search/`);
    await fresh.page.waitForFunction(() => document.activeElement?.id === "q");
    expect(fresh.loaded()).toBe(0);
    await ask(fresh.page, served.url, text.split(/\s+/).slice(0, 6).join(" "));
    sizes.push(fresh.loaded());
    expect(fresh.errors).toEqual([]);
    await fresh.close();
  }
  sizes.sort((a, b) => a - b);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(BYTES);
});

inChromium.concurrent.each([320, 1280])(
  "nothing moves while answers come, %s pixels wide",
  async (width) => {
    const own = await newReader(browser());
    const { page } = own;
    await page.setViewportSize({ width, height: 800 });
    const shifted = await watchShifts(page);
    await ask(page, served.url, "Anna");
    await page.waitForSelector(".found[aria-busy=false] > li");
    expect(await shifted()).toBeLessThan(0.01);
    await own.close();
  },
);

test("fast keys and answers that come against their order end with the right results", async () => {
  const own = await newReader(browser());
  const { page } = own;
  const quiet = untilQuiet(page);
  // The first file is waited for by all searches.
  const late = [1_500, 900, 600, 300];
  await page.route("**/*.pf_*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, late.shift() ?? 0));
    await route.continue();
  });
  await page.goto(`${served.url}search/?q=${encodeURIComponent("valley was silencing")}`);
  await page.fill("input[name=q]", "repainted the harbour");
  await page.waitForURL(/q=repainted/);
  await page.fill("input[name=q]", "thistles gather");
  await page.waitForURL(/q=thistles/);
  await page.waitForSelector(".found > li");
  // The search is over when the other languages are asked, too.
  await page.waitForSelector(".found[aria-busy=false]");
  await quiet();
  expect((await firstAnswers(page)).map(({ text }) => text)).toEqual([
    "Two thistles gather dust above the mill.",
  ]);
  expect(await page.isVisible(".also")).toBe(false);
  // What is typed and taken back leaves nothing.
  await page.fill("input[name=q]", "repainted");
  await page.waitForURL(/q=repainted$/);
  await page.fill("input[name=q]", "");
  await page.waitForURL(/search\/$/);
  await page.waitForSelector(".found > li", { state: "detached" });
  await quiet();
  expect(await page.locator(".found > li").count()).toBe(0);
  expect(await page.textContent("quote-search [role=status]")).toBe("");
  await own.close();
});

test("an answer opens on its quote, and hostile text stays text", async () => {
  const [answer] = await ask(reader.page, served.url, '"img src x onerror alert"');
  expect(answer).toMatchObject({ text: SCRIPT_TEXT, by: "<b>Nobody", language: "English" });
  const tags = await reader.page.locator(".found > li").first().locator(".tag").allTextContents();
  expect(tags.map((tag) => tag.trim())).toEqual(["U.S. history", "Anew"]);
  await reader.page.goto(answer?.href ?? "");
  expect(await reader.page.textContent("article.quote:target blockquote")).toBe(SCRIPT_TEXT);
  expect(reader.errors).toEqual([]);
});

test("a filter that the site does not have, as in an old link, counts as none", async () => {
  const { page } = reader;
  await page.goto(`${served.url}search/?q=Anna&language=xx&tag=gone&length=5`);
  await page.waitForSelector(".found > li");
  const filters = page.locator("quote-search select");
  const chosen = await filters.evaluateAll((all) =>
    all.map((select) => select instanceof HTMLSelectElement && select.selectedIndex),
  );
  expect(chosen).toEqual([0, 0, 0]);
});

test("the language of the page comes first among equals, then the reader's, and the others are offered", async () => {
  const german = await newReader(browser(), { locale: "de-DE" });
  const [answer] = await ask(german.page, served.url, "Anna");
  expect(answer?.language).toBe("English");
  const offers = german.page.locator(".also a");
  expect(await offers.allTextContents()).toEqual(["Deutsch", "Русский", "Español", "Français"]);
  await offers.first().click();
  await german.page.waitForURL(/q=Anna&language=de$/);
  await german.page.waitForSelector(".found > li");
  expect((await firstAnswers(german.page))[0]?.language).toBe("Deutsch");
  // Of several words, a language is offered where a quote has all of them.
  await askNext(german.page, "Anna");
  await german.page.selectOption("select[name=language]", "");
  await ask(german.page, served.url, "Anna valley");
  await german.page.waitForSelector(".found[aria-busy=false] > li");
  expect(await german.page.isVisible(".also")).toBe(false);

  // An English reader who types Russian, or German that no English quote has, is answered all the same.
  const [russian] = await ask(reader.page, served.url, "Комета дрожит");
  expect(russian?.language).toBe("Русский");
  const [other] = await ask(reader.page, served.url, "Laternen brennen");
  expect(other).toMatchObject({ language: "Deutsch", marked: ["Laternen", "brennen"] });
  // A word of a small language is found before words of large ones that begin alike.
  const [rare] = await ask(reader.page, served.url, "trquandia");
  expect(rare).toMatchObject({ language: "Türkçe", marked: ["trquandia"] });
  // Accents that were typed count.
  for (const [text, language] of [
    ["xalor", "English"],
    ["xälor", "Türkçe"],
  ] as const) {
    const [typed] = await ask(reader.page, served.url, text);
    expect(typed?.language).toBe(language);
  }
  // Two characters inside a phrase, in a script without spaces between words.
  for (const text of ["不欲", "孔子"]) {
    const [phrase] = await ask(reader.page, served.url, text);
    expect(phrase?.text, text).toContain("己所不欲");
  }
  // Figures are in the digits of the page.
  await reader.page.evaluate(() => (document.documentElement.lang = "bn"));
  await askNext(reader.page, "Laternen");
  expect(await reader.page.textContent("[role=status]")).toMatch(/[০-৯]/);
  await german.close();
});

test("a name comes before names that begin like its words, whatever their quotes are liked", async () => {
  const [answer] = await ask(reader.page, served.url, "B. Quillshaw");
  expect(answer?.by).toBe("B. Quillshaw");
});

test("no index is loaded for a word that no language has, and near words are offered", async () => {
  const own = await newReader(browser());
  const { page } = own;
  const asked: string[] = [];
  await page.goto(`${served.url}search/`);
  page.on("request", (request) => asked.push(request.url()));
  for (const [text, near] of [
    ["kubernetes", []],
    ["thisles", ["thistles"]],
    ["gathr thistles", ["gather thistles"]],
  ] as const) {
    await askNext(page, text);
    expect(await page.textContent("[role=status]"), text).toMatch(/^No quote has /);
    const offered = page.locator(".also:not([hidden]) a");
    expect((await offered.allTextContents()).slice(0, 1), text).toEqual(near);
    if (text !== "kubernetes") continue;
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(own.loaded()).toBeLessThanOrEqual(60_000);
    expect(asked.filter((url) => /\/pagefind\/(?!_lists\/)/.test(url))).toEqual([]);
  }
  await page.locator(".also a").first().click();
  await page.waitForSelector(".found > li");
  expect((await firstAnswers(page))[0]?.text).toBe("Two thistles gather dust above the mill.");
  expect(own.errors).toEqual([]);
  await own.close();
});

test("a search that could not be loaded says so, and works once there is a connection", async () => {
  const own = await newReader(browser());
  const { page } = own;
  const status = expect.poll(() => page.textContent("[role=status]"));
  const said = "The search could not be loaded. Please try again.";
  await page.route("**/*pf_meta", () => undefined);
  await page.goto(`${served.url}search/?language=en`);
  await page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector(".found") as Element, "::before").content === '"…"',
  );
  await page.unrouteAll();
  for (const part of ["pagefind.js", "pf_meta"]) {
    await page.route(`**/*${part}`, (route) => route.abort());
    const lost = page.waitForEvent("requestfailed", (request) => request.url().includes(part));
    await page.reload();
    await lost;
    await status.toBe(said);
    await page.unrouteAll();
    await page.press("input[name=q]", "Enter");
    await status.toMatch(/^\d+\+? quotes?$/);
  }
  // The part of the index that has the word is not there yet.
  await page.context().setOffline(true);
  await page.fill("input[name=q]", "Anna");
  await status.toBe(said);
  await page.context().setOffline(false);
  await page.press("input[name=q]", "Enter");
  await status.toMatch(/^\d+\+? quotes?$/);
  // A part is missing on the host: the other words alone would find other quotes.
  await page.route("**/*.pf_index", (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await status.toBe(said);
  await page.unrouteAll();
  await page.press("input[name=q]", "Enter");
  await status.toMatch(/^\d+\+? quotes?$/);
  await own.close();
});

test("keys lead from the field to the answers, filters narrow them, the address keeps both", async () => {
  const { page } = reader;
  await page.goto(`${served.url}search/`);
  await page.keyboard.type("life");
  // Who types slowly has answers to the first letters already, and they are about to go.
  await page.waitForURL(/q=life$/);
  await page.waitForSelector(".found > li");
  // On a Mac the keys of an input method arrive like any other.
  await page.evaluate(() => {
    const key = { key: "ArrowDown", isComposing: true, bubbles: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
  });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("q");
  // The arrow keys are for the suggestions while there are some.
  await page.keyboard.press("Escape");
  expect(await page.inputValue("input[name=q]")).toBe("life");
  for (const answer of [1, 2]) {
    await page.keyboard.press("ArrowDown");
    const focused = page.locator(`.found > li:nth-child(${answer}) > a:focus`);
    expect(await focused.count(), `answer ${answer}`).toBe(1);
  }
  await page.selectOption("select[name=length]", "short");
  await page.waitForURL(/q=life&length=short/);
  await page.waitForSelector(".found > li");
  const texts = await page.$$eval(".found blockquote", (quotes) =>
    quotes.map((q) => q.textContent),
  );
  expect(texts.every((text) => text.length <= 80)).toBe(true);
  await page.check("input[name=curated]");
  await page.waitForURL(/q=life&length=short&curated=yes/);
  await page.reload();
  await page.waitForSelector(".found > li");
  expect(await page.isChecked("input[name=curated]")).toBe(true);
  const links = await page.$$eval(".found > li > a", (found) =>
    found.map((a) => a.getAttribute("href") ?? ""),
  );
  const curated = links.map((link) => Number(/#q(\d+)$/.exec(link)?.[1]) % 3);
  expect(new Set(curated)).toEqual(new Set([0]));
  expect(await axeFaults(page)).toEqual([]);
});

test("a tag alone finds the quotes that carry it, and loads no other language", async () => {
  const { page } = reader;
  await page.goto(`${served.url}search/`);
  const options = await page.$$eval("select[name=tag] option", (all) =>
    all.map((option) => [option.textContent.trim(), option.getAttribute("value") ?? ""] as const),
  );
  const slugs = new Map(options);
  const carrying = (name: string) =>
    quotes.filter(({ language, tags = [] }) => language === "en" && tags.includes(name));
  const name = [...slugs.keys()].findLast((tag) => carrying(tag).length > 0) ?? "";
  const bundles = new Set<string>();
  page.on("request", (request) => {
    const bundle = /pagefind\/(\w+)\//.exec(request.url())?.[1];
    if (bundle !== undefined) bundles.add(bundle);
  });
  await page.goto(`${served.url}search/?tag=${slugs.get(name)}`);
  // Answers are appended until the search is over.
  await page.waitForSelector(".found[aria-busy=false] > li");
  const shown = await page.$$eval(".found > li", (items) =>
    items.map((item) => ({
      id: Number(/#q(\d+)$/.exec(item.querySelector("a")?.getAttribute("href") ?? "")?.[1]),
      tags: Array.from(item.querySelectorAll(".tag"), (tag) => [
        tag.textContent,
        tag.querySelector("a")?.getAttribute("href"),
      ]),
    })),
  );
  // As on cards, each tag of an answer leads to its listing.
  const linked = (tag: string) => [tag, `/sub/tag/${slugs.get(tag)}/`];
  const wanted = carrying(name).map(({ id, tags = [] }) => ({ id, tags: tags.map(linked) }));
  expect(shown.length).toBeGreaterThan(0);
  expect(wanted).toEqual(expect.arrayContaining(shown));
  expect([...bundles]).toEqual(["en"]);
});

test("answers to no words come most liked first, to the last page, and the focus goes to the last of them", async () => {
  const { page } = reader;
  await page.goto(`${served.url}search/?length=medium`);
  const more = page.locator(".more-results");
  await page.waitForSelector(".found[aria-busy=false] > li");
  while (await more.isVisible()) {
    await more.press("Enter");
    await page.waitForSelector(".found[aria-busy=false]");
  }
  const links = await page.$$eval(".found > li > a", (all) =>
    all.map((link) => link.getAttribute("href") ?? ""),
  );
  const english = quotes
    .filter(({ language }) => language === "en")
    .sort((a, b) => (b.likes ?? 0) - (a.likes ?? 0) || a.id - b.id);
  const wanted = english.filter(({ text = "" }) => /^.{81,240}$/su.test(text));
  expect(links.map((link) => Number(link.split("#q")[1]))).toEqual(wanted.map(({ id }) => id));
  const last = Math.ceil(english.length / 50);
  expect(links.at(-1)).toBe(`/sub/language/en/${last}/#q${english.at(-1)?.id}`);
  expect(await page.evaluate(() => document.activeElement?.matches(".found a"))).toBe(true);
});
