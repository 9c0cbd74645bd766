/**
 * Words of many languages: each is answered in the language that has it, whatever the size of the others. Over the embedded
 * collection, or the sample of real quotes in 45 languages where REAL_QUOTES names their folder; SEARCH_QUOTES=all takes every
 * quote, and three seeds.
 */
// @module-tag long
import { beforeAll, expect, test } from "vitest";
import { indexSite } from "../../src/search/index-site.ts";
import { embeddedCollection } from "../../src/service/collection.ts";
import { lookedUpWords } from "../../src/util/fold.ts";
import {
  ALL_QUOTES,
  askNext,
  newReader,
  type Reader,
  SEARCH_MS,
  serveFolder,
  useBrowser,
} from "../support/browser/index.ts";
import { buildSite } from "../support/built/index.ts";
import { makeSite } from "../support/site/index.ts";
import { type QuoteDraft, realQuotes } from "../support/snapshot/index.ts";
import { HOOK_MS } from "../support/vitest/limits.ts";

const hasReal = (process.env["REAL_QUOTES"] ?? "") !== "";

/** Words of love, life and death: code of the language → words of which its quotes have some. */
const PLAIN: Readonly<Record<string, readonly string[]>> = {
  fr: ["amour", "vie", "mort", "liberté"],
  de: ["Liebe", "Leben", "Tod", "Freiheit"],
  es: ["amor", "vida", "muerte", "libertad"],
  it: ["amore", "vita", "morte", "libertà"],
  pt: ["amor", "vida", "morte", "liberdade"],
  ru: ["любовь", "жизнь", "смерть", "свобода"],
};

const ASKED = 60;
const SEEDS = ALL_QUOTES ? [1, 2, 3] : [1];

let quotes: readonly QuoteDraft[];
let reader: Reader;
/** Folded word → codes of the languages whose quotes have it. */
const languages = new Map<string, Set<string>>();
const names = new Map<string, string>();
const browser = useBrowser();

beforeAll(async () => {
  const all = hasReal
    ? realQuotes(ALL_QUOTES ? "quotes.ndjson.gz" : "quotes.sample.ndjson").map((quote, index) => ({
        ...quote,
        pk: index + 1,
        likes: index % 97,
      }))
    : embeddedCollection();
  quotes = all.map(({ pk: id, quote: text, author, tags, language, likes }) => {
    return { id, text, author: author || null, tags, language, likes };
  });
  for (const { text = "", author, tags = [], language = "" } of quotes) {
    const whole = `${text} ${author ?? ""} ${tags.join(" ")}`;
    // "l'amour" has "amour", too.
    for (const { key } of lookedUpWords(`${whole} ${whole.replaceAll(/['’]/gu, " ")}`)) {
      const known = languages.get(key) ?? new Set();
      languages.set(key, known.add(language));
    }
  }
  const site = await buildSite({ quotes });
  using listed = makeSite([], { stateDir: site.stateDir });
  for (const { name, language } of listed.languages()) names.set(name, language.name);
  await indexSite({
    ...site,
    curated: null,
    names: { author: listed.largest("author"), tag: listed.tags() },
  });
  const served = await serveFolder(site.outDir);
  reader = await newReader(browser());
  await reader.page.goto(`${served.url}search/`);
}, 3 * SEARCH_MS);

/** Name of the language of the first answer; empty where there is none. */
async function answered(text: string): Promise<string> {
  const [answer] = await askNext(reader.page, text);
  return answer?.language ?? "";
}

test.each(SEEDS)(
  "of 30 words that exactly one language has, 29 are answered in it (seed %i)",
  async (seed) => {
    const single = [...languages]
      .filter(([key, own]) => own.size === 1 && /^\p{L}{4,}$/u.test(key))
      .map(([key, [code = ""]]) => ({ key, code }));
    // As many of each language as of any other.
    const byLanguage = [...Map.groupBy(single, ({ code }) => code).values()];
    const wrong: string[] = [];
    const absent: string[] = [];
    let state = seed;
    const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let count = 0; count < ASKED; count++) {
      const own = byLanguage[draw(byLanguage.length)] ?? [];
      const { key = "", code = "" } = own[draw(own.length)] ?? {};
      const first = await answered(key);
      if (first !== names.get(code)) wrong.push(`${key} (${code}): ${first}`);
      if (first === "") absent.push(key);
    }
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(ASKED / 30);
    expect(absent).toEqual([]);
    expect(reader.errors).toEqual([]);
  },
  HOOK_MS,
);

test("plain words of love, life and death are answered in a language that has them", async () => {
  const wrong: string[] = [];
  for (const words of Object.values(PLAIN))
    for (const word of words) {
      const [key = ""] = lookedUpWords(word).map((one) => one.key);
      const having = [...(languages.get(key) ?? [])].map((code) => names.get(code) ?? "");
      const first = await answered(word);
      if (having.length > 0 && !having.includes(first)) wrong.push(`${word}: ${first}`);
    }
  expect(wrong).toEqual([]);
});
