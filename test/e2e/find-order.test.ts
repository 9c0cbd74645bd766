/** Which answers come first in the search, in a real browser. */
// @module-tag long
import { expect, test } from "vitest";
import { ask, askNext, firstAnswers, searchedSite } from "../support/browser/index.ts";

const { quotes, url, reader, another } = searchedSite();

test("the language of the page comes first among equals, then the reader's, and the others are offered", async () => {
  const german = await another({ locale: "de-DE" });
  const [answer] = await ask(german.page, url(), "Anna");
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
  await ask(german.page, url(), "Anna valley");
  await german.page.waitForSelector(".found[aria-busy=false] > li");
  expect(await german.page.isVisible(".also")).toBe(false);

  // An English reader who types Russian, or German that no English quote has, is answered all the same.
  const [russian] = await ask(reader().page, url(), "Комета дрожит");
  expect(russian?.language).toBe("Русский");
  const [other] = await ask(reader().page, url(), "Laternen brennen");
  expect(other).toMatchObject({ language: "Deutsch", marked: ["Laternen", "brennen"] });
  // A word of a small language is found before words of large ones that begin alike.
  const [rare] = await ask(reader().page, url(), "trquandia");
  expect(rare).toMatchObject({ language: "Türkçe", marked: ["trquandia"] });
  // Accents that were typed count.
  for (const [text, language] of [
    ["xalor", "English"],
    ["xälor", "Türkçe"],
  ] as const) {
    const [typed] = await ask(reader().page, url(), text);
    expect(typed?.language).toBe(language);
  }
  // Two characters inside a phrase, in a script without spaces between words.
  for (const text of ["不欲", "孔子"]) {
    const [phrase] = await ask(reader().page, url(), text);
    expect(phrase?.text, text).toContain("己所不欲");
  }
  // Figures are in the digits of the page.
  await reader().page.evaluate(() => (document.documentElement.lang = "bn"));
  await askNext(reader().page, "Laternen");
  expect(await reader().page.textContent("[role=status]")).toMatch(/[০-৯]/);
  await german.close();
});

test("a name comes before names that begin like its words, whatever their quotes are liked", async () => {
  const [answer] = await ask(reader().page, url(), "B. Quillshaw");
  expect(answer?.by).toBe("B. Quillshaw");
});

test("no index is loaded for a word that no language has, and near words are offered", async () => {
  const own = await another();
  const { page } = own;
  const asked: string[] = [];
  await page.goto(`${url()}search/`);
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

test("a tag alone finds the quotes that carry it, and loads no other language", async () => {
  const { page } = reader();
  await page.goto(`${url()}search/`);
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
  await page.goto(`${url()}search/?tag=${slugs.get(name)}`);
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
  expect([...bundles]).toEqual(["_lists", "en"]);
});

test("answers to no words come most liked first, to the last page, and the focus goes to the last of them", async () => {
  const { page } = reader();
  await page.goto(`${url()}search/?length=medium`);
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
