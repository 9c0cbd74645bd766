/**
 * Open Graph images: which pages have one of their own, what it shows, and where its file is.
 *
 * Home, today and the languages always; then the most liked quotes, the largest authors and the largest tags, up to a
 * number that the site's file sets. Every other page is shown with the image of the site.
 */
import { join } from "node:path";
import { languageOf } from "../contract/languages.ts";
import type { OgImage, OgRequest, OgShape } from "../contract/picture.ts";
import { openOgImages, type OgLookup } from "../images/lookup.ts";
import { listingPath, quotePath } from "../plan/index.ts";
import type { SiteConfig } from "../settings/site-config.ts";
import type { SiteReader } from "./open-site.ts";
import { siteSettings } from "./settings.ts";
import type { CardData } from "./cards.ts";

/** Of the images that are counted: a half quotes, a quarter authors, a quarter tags. */
const SHARE = { quotes: 0.5, terms: 0.25 };

export function* ogRequests(site: SiteReader, config: SiteConfig): Generator<OgRequest> {
  const language = languageOf(config.language);
  const title = { style: "title", byline: null, language, shapes: ["wide"] } as const;
  yield { ...title, key: "", text: config.title, byline: config.description };
  const [today] = site.today().cards;
  if (today !== undefined) yield quoteRequest("/today/", today);
  for (const { slug, language: own } of site.languages()) {
    yield { ...title, key: keyOf(listingPath("language", slug)), text: own.name, language: own };
  }
  for (const card of site.top(Math.round(config.cards * SHARE.quotes))) {
    yield quoteRequest(quotePath(card.quote.id), card);
  }
  const terms = Math.round(config.cards * SHARE.terms);
  for (const { slug, name } of site.largest("author", terms)) {
    yield { ...title, key: keyOf(listingPath("author", slug)), text: name };
  }
  for (const { slug, name } of site.largest("tag", terms)) {
    yield { ...title, key: keyOf(listingPath("tag", slug)), text: name };
  }
}

function quoteRequest(path: string, { quote, author, language }: CardData): OgRequest {
  const text = { text: quote.text, byline: author.name, language };
  return { ...text, key: keyOf(path), style: "quote", shapes: ["wide", "square"] };
}

/** A page's image is known by its address without the slash in front. */
function keyOf(path: string): string {
  return path.slice(1);
}

let images: OgLookup | undefined;

/**
 * The picture that a link to a page is shown with: the page's own or the site's.
 *
 * @param path of the page, without the base path
 * @param shape `square` for quotes alone: null where the page has none of its own
 * @returns null where no image was made
 */
export function ogImage(path: string, shape: OgShape = "wide"): OgImage | null {
  if (images === undefined) {
    const { stateDir, site } = siteSettings();
    images = openOgImages({ cacheDir: join(stateDir, "cards"), prefix: `${site.base}_cards/` });
  }
  return images(keyOf(path), shape);
}
