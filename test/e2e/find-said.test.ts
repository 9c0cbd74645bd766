/** What the search says above its answers, and which words and languages it then shows, in a real browser. */
// @module-tag long
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ask, newReader, serveSearched, useBrowser } from "../support/browser/index.ts";
import type { Reader, Served } from "../support/browser/index.ts";
import { HOOK_MS } from "../support/vitest/limits.ts";

const DRAFTS = [
  ...["mill", "bridge", "harbour"].map((place) => ({
    text: `Love gathers dust above the ${place}.`,
    language: "en",
    tags: ["Love"],
  })),
  { text: "Hope has money.", language: "en" },
  { text: "A saint of rest—fear knows no end.", language: "en" },
  { text: "الحب صبر طويل.", language: "ar" },
  // German is larger than the others, and has some of the words of the Dutch quote. Spanish has them, too, and not the rest.
  { text: "Als wir begannen, war ein Kind willen, das Brot zu teilen.", language: "de" },
  { text: "Der Morgen ist still.", language: "de" },
  { text: "Der Abend ist lang.", language: "de" },
  { text: "Zou als willen.", language: "es" },
  { text: "Ayer.", language: "es" },
  { text: "Als ik zou willen dat je blijft, zei ik het.", language: "nl" },
];

let served: Served;
const browser = useBrowser();
let reader: Reader;

beforeAll(async () => {
  ({ served, reader } = await serveSearched(DRAFTS, browser()));
}, HOOK_MS);

/** The left edge of a character of what the search says. */
const leftOf = (page: Page, first: RegExp): Promise<number> =>
  page.locator("quote-search [role=status]").evaluate((status, source) => {
    const text = status.firstChild as Text;
    const index = text.data.search(new RegExp(source, "u"));
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect().left;
  }, first.source);

test("words of the other direction do not change the order of what is said around them", async () => {
  const { page, errors } = reader;
  await ask(page, served.url, "الحب zzzzqq");
  expect(await leftOf(page, /الحب/)).toBeLessThan(await leftOf(page, /\p{Nd}/u));
  await ask(page, `${served.url}ar/`, "zzzzqq love");
  expect(await leftOf(page, /love/)).toBeGreaterThan(await leftOf(page, /\p{Nd}/u));
  expect(errors).toEqual([]);
});

test("a language with all words of a query comes before one with some of them, and loads no index of others", async () => {
  const own = await newReader(browser());
  const { page } = own;
  // Then no other languages are searched for what to offer.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const loaded = new Set<string>();
  page.on("request", (request) => {
    const slug = /\/pagefind\/([a-z]\w*)\//.exec(request.url())?.[1];
    if (slug !== undefined) loaded.add(slug);
  });
  const [first] = await ask(page, served.url, "Als willen je dat");
  expect(first?.text).toMatch(/^Als ik zou/);
  expect(await page.textContent("quote-search [role=status]")).toBe("1 quote");
  expect([...loaded]).toEqual(["de", "nl"]);
  // No language has them all, so the first one is shown as before.
  const [some] = await ask(page, served.url, "als willen zou war");
  expect(some?.text).toMatch(/^Als wir/);
  expect(await page.textContent("quote-search [role=status]")).toMatch(
    /“\u2068als willen war\u2069”: 1/,
  );
  expect(own.errors).toEqual([]);
  await own.close();
});

test("words with punctuation between them are found apart, and what is said names those that were found", async () => {
  const { page, errors } = reader;
  for (const [query, text, shown] of [
    ["hope,money", "Hope has money.", undefined],
    ["hope/money", "Hope has money.", undefined],
    ["hope—money", "Hope has money.", undefined],
    // What the index takes for one word is found as it stands.
    ["rest—fear", "A saint of rest—fear knows no end.", undefined],
    ["hope:harbour", "Love gathers dust above the harbour.", "harbour"],
    ["hope/harbour", "Love gathers dust above the harbour.", "harbour"],
    ["hope:zzzq", "Hope has money.", "hope"],
    ["hope,money,zq", "Hope has money.", "hope money"],
  ] as const) {
    const [answer] = await ask(page, served.url, query);
    expect(answer?.text.trim(), query).toBe(text);
    const said = (await page.textContent("quote-search [role=status]")) ?? "";
    expect(/“\u2068(.*)\u2069”/.exec(said)?.[1], query).toBe(shown);
  }
  expect(errors).toEqual([]);
});

test("where filters leave nothing, their number is said, and not that no quote has the words", async () => {
  const { page, errors } = reader;
  for (const [query, said] of [
    ["search/?language=de&tag=love", "0 quotes"],
    ["search/?length=long", "0 quotes"],
    ["search/?q=love&tag=love&length=long", "0 quotes"],
    ["search/?q=love&language=de", "0 quotes"],
    ["search/?q=lang:de+love", "0 quotes"],
    ["ar/search/?length=long", "لا اقتباسات"],
    ["search/?q=zzzzqq", "No quote has “\u2068zzzzqq\u2069”. Try fewer words, or a name."],
    ["search/?q=love&tag=love", "3 quotes"],
  ] as const) {
    await page.goto(served.url + query);
    const status = () => page.textContent("quote-search [role=status]");
    await expect.poll(status, { message: query }).toBe(said);
  }
  expect(errors).toEqual([]);
});
