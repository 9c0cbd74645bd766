/** `site/messages`: words of a fork over those of the project, and languages that the project does not speak. */
import { beforeAll, expect, test } from "vitest";
import { loadSite } from "../../src/themes/site-folder.ts";
import { localeOf, hasTranslation, translationOf } from "../../src/i18n/locale.ts";
import { folderWith } from "../support/run/index.ts";

const POLISH = {
  page: {
    home: "Strona główna",
    count: {
      quotes: { one: "{n} cytat", few: "{n} cytaty", many: "{n} cytatów" },
    },
  },
};

beforeAll(async () => {
  const folder = folderWith({
    "messages/pl.json": JSON.stringify(POLISH),
    "messages/fa.json": "{}",
    "messages/de.json": '\uFEFF{ "page": { "home": "Start" } }',
    "messages/en.json": '{ "page": { "about": "Who we are" } }',
  });
  await loadSite({ SITE_DIR: folder });
});

test("a new language has its words, its plurals and its name; the rest is the fork's English", () => {
  const { messages, language, count } = localeOf("pl", "en");
  expect(messages.home).toBe("Strona główna");
  expect([1, 3, 5].map((n) => count("quotes", n))).toEqual(["1 cytat", "3 cytaty", "5 cytatów"]);
  expect(count("tags", 5)).toBe("5 tags");
  expect(messages.about).toBe("Who we are");
  expect(translationOf("pl").reader.search).toBe("Search");
  expect(language).toMatchObject({ name: "Polski", tag: "pl", dir: "ltr" });
});

test("a word of a language of the project is changed, and no other", () => {
  expect(translationOf("de").page.home).toBe("Start");
  expect(translationOf("de").page.today).toBe("Heute");
  expect(translationOf("en").page.home).toBe("Home");
});

test("a language that the project does not speak falls back to that of the site", () => {
  expect(hasTranslation("nl")).toBe(false);
  expect(localeOf("nl", "de").code).toBe("de");
});

test.each<[string, string, RegExp]>([
  ["pl.json", '{\n  "page": {\n    "hom": "x"\n  }\n}', /page\.hom of .*pl\.json:3: .*"home"\?/],
  ["pl.json", '{\n  "page": { "home": 7 }\n}', /page\.home of .*pl\.json:2: expected a text/],
  ["pl.json", '{ "page": "x" }', /page of .*pl\.json:1: expected an object/],
  [
    "pl.json",
    '{ "page": { "pageOf": "{pgae}" } }',
    /page\.pageOf .*: expected \{page\}.*, got \{pgae\}/,
  ],
  ["pl.json", '{ "page": { "home": "{n}" } }', /page\.home .*: expected no placeholder, got \{n\}/],
  ["pl.json", '{ "page": { "count": { "quotes": { "most": "x" } } } }', /no such key/],
  ["pl.json", '{\n  "page": {},\n}', /Cannot read .*pl\.json:3: /],
  ["pl.json", '{\n  "page": { "home": " " }\n}', /page\.home of .*pl\.json:2: expected a text/],
  ["PL.json", "{}", /"PL" is not a language code/],
  ["Polish language.json", "{}", /"Polish language" is not a language code/],
])("%s with %s is refused", async (name, text, message) => {
  const folder = folderWith({ [`messages/${name}`]: text });
  const failure = await loadSite({ SITE_DIR: folder }).catch((error: unknown) => error);
  // A bare expression would match any text.
  const matching = expect.stringMatching(message) as unknown;
  expect(failure).toMatchObject({ name: "ConfigurationError", message: matching });
});
