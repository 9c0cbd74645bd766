/**
 * Open Graph images: which pages have one of their own, and what it shows.
 *
 * These are home, today and the languages, and up to `cards` of the most liked quotes, largest authors and largest tags.
 * All other pages use the image of the site.
 */
import { join } from "node:path";
import { languageOf } from "../contract/languages.ts";
import type { OgImage, OgRequest, OgShape } from "../contract/picture.ts";
import { openOgImages, type OgLookup } from "../images/lookup.ts";
import { listingPath, quotePath } from "../plan/index.ts";
import type { SiteConfig } from "../settings/site-config.ts";
import type { PageReader } from "./open-site.ts";
import { siteDescription, siteSettings } from "./settings.ts";
import type { CardData } from "./cards.ts";

/** Shares of `cards`: half quotes, a quarter authors, a quarter tags. */
const SHARE = { quotes: 0.5, terms: 0.25 };

export function* ogRequests(site: PageReader, config: SiteConfig): Generator<OgRequest> {
  const language = languageOf(config.language);
  const title = { style: "title", byline: null, language, shapes: ["wide"] } as const;
  yield { ...title, key: "", text: config.title, byline: siteDescription().text };
  const [today] = site.today().cards;
  if (today !== undefined) yield quoteRequest("/today/", today);
  for (const { slug, language: own } of site.languages()) {
    yield { ...title, key: keyOf(listingPath("language", slug)), text: own.name, language: own };
  }
  for (const card of site.top(Math.round(config.cards * SHARE.quotes))) {
    yield quoteRequest(quotePath(card.quote.id), card);
  }
  const terms = Math.round(config.cards * SHARE.terms);
  for (const kind of ["author", "tag"] as const) {
    for (const { slug, name } of site.largest(kind, terms)) {
      yield { ...title, key: keyOf(listingPath(kind, slug)), text: name };
    }
  }
}

function quoteRequest(path: string, { quote, author, language }: CardData): OgRequest {
  const text = { text: quote.text, byline: author.name, language };
  return { ...text, key: keyOf(path), style: "quote", shapes: ["wide", "square"] };
}

/** The key of an image is the path of its page without the leading slash. */
function keyOf(path: string): string {
  return path.slice(1);
}

let images: OgLookup | undefined;

/**
 * The page's own Open Graph image, or else the site's.
 *
 * @param path of the page, without the base path
 * @param shape only quotes have a `square` image
 * @returns null if there is none
 */
export function ogImage(path: string, shape: OgShape = "wide"): OgImage | null {
  if (images === undefined) {
    const { stateDir, site } = siteSettings();
    images = openOgImages({ cacheDir: join(stateDir, "cards"), prefix: `${site.base}_cards/` });
  }
  return images(keyOf(path), shape);
}
