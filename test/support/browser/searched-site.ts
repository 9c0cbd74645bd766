/**
 * A site whose search is tested: below a base path, over the embedded collection and some quotes of its own. Files that ask for it
 * share one.
 *
 * With REAL_QUOTES it is over real quotes, and SEARCH_QUOTES=all then takes every quote; it needs minutes.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll } from "vitest";
import { indexSite } from "../../../src/search/index-site.ts";
import { embeddedCollection } from "../../../src/service/collection.ts";
import { buildSite, madeOnce } from "../built/index.ts";
import { makeSite } from "../site/index.ts";
import { type QuoteDraft, realQuotes, SCRIPT_TEXT } from "../snapshot/index.ts";
import { HOOK_MS } from "../vitest/limits.ts";
import { type Served, serveFolder, useBrowser } from "./browser.ts";
import { newReader, type Reader } from "./find-reader.ts";

/** Language → sentences, with a form of one of their words that is not in them. */
export const INFLECTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
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

/** Languages with many quotes. */
export const LANGUAGES = ["en", "ru", "de", "ar", "hi"] as const;

export const ALL_QUOTES = process.env["SEARCH_QUOTES"] === "all";

/** Of hooks and tests, in milliseconds: all quotes take minutes to render and to index. */
export const SEARCH_MS = (ALL_QUOTES ? 20 : 1) * HOOK_MS;

/** Quotes of each of the languages, where not all are searched. */
const MOST = 600;

function collectedQuotes(): QuoteDraft[] {
  const isReal = (process.env["REAL_QUOTES"] ?? "") !== "";
  const all = isReal
    ? realQuotes().map((quote, index) => ({ ...quote, pk: index + 1, likes: index % 97 }))
    : embeddedCollection();
  const byLanguage = Map.groupBy(all, ({ language }) => language);
  const some = LANGUAGES.flatMap((code) => byLanguage.get(code)?.slice(0, MOST) ?? []);
  return (isReal && ALL_QUOTES ? all : some).map(
    ({ pk: id, quote: text, author, tags, language, likes }) => {
      return { id, text, author: author || null, tags, language, likes };
    },
  );
}

/** Quotes that tests ask for. */
function askedQuotes(collected: readonly QuoteDraft[]): QuoteDraft[] {
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
  const liked = collected
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
  const drafts = [
    ...[hostile, ...forms, ...small, ...accents, ...chinese],
    ...[...others, own, last],
  ];
  return drafts.map((draft, index) => ({ id: 900_001 + index, ...draft }));
}

/** Makes the site before the tests of a file. */
export function searchedSite() {
  const collected = collectedQuotes();
  const quotes = [...collected, ...askedQuotes(collected)];
  const browser = useBrowser();
  let served: Served;
  let reader: Reader;
  beforeAll(async () => {
    const outDir = await madeOnce(["search", quotes], (folder) => makeIndexed(quotes, folder));
    served = await serveFolder(join(outDir, "dist"), "/sub/");
    reader = await newReader(browser());
  }, SEARCH_MS);
  return {
    quotes,
    browser,
    /** Where the site is served, with its base path. */
    url: () => served.url,
    /** A reader for all tests of the file. */
    reader: () => reader,
    another: (options?: Parameters<typeof newReader>[1]) => newReader(browser(), options),
  };
}

type BuiltSite = Awaited<ReturnType<typeof buildSite>>;

/** Makes the search index of a built site. */
export async function indexBuilt(
  site: BuiltSite,
  curated: readonly number[] | null = null,
): Promise<void> {
  using listed = makeSite([], { stateDir: site.stateDir });
  const names = { author: listed.largest("author"), tag: listed.tags() };
  await indexSite({ ...site, curated, names });
}

/** Builds, indexes and serves a site of a few quotes below a base path, and opens it. */
export async function serveSearched(drafts: readonly Omit<QuoteDraft, "id">[], browser: Browser) {
  const quotes = drafts.map((draft, index) => ({ id: index + 1, ...draft }));
  const site = await buildSite({ quotes }, { SITE_BASE: "/sub/" });
  await indexBuilt(site);
  return { served: await serveFolder(site.outDir, "/sub/"), reader: await newReader(browser) };
}

async function makeIndexed(quotes: readonly QuoteDraft[], folder: string): Promise<void> {
  const curated = quotes.map(({ id }) => id).filter((id) => id % 3 === 0);
  // Where voting is off the likes are words on the cards.
  const settings = { SITE_BASE: "/sub/", VOTE_BASE_URL: "off" };
  const site = await buildSite({ quotes, curated }, settings);
  await indexBuilt(site, curated);
  cpSync(site.outDir, join(folder, "dist"), { recursive: true });
}
