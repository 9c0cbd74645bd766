/** Structured data of pages in JSON-LD, with the vocabulary of schema.org. */
import type { QuoteSource } from "../contract/quote.ts";
import type { Locale } from "../i18n/locale.ts";
import { FIXED_PATHS, listingPath } from "../plan/index.ts";
import { localPath } from "./local-paths.ts";
import { absolute, siteDescription, siteLocale, siteSettings } from "./settings.ts";
import type { CardData } from "./cards.ts";
import type { ListingPage } from "./listings.ts";

export type Thing = Readonly<Record<string, unknown>>;

/** JSON for a script element: without `<`, it cannot end the element or begin a comment. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** The site and its search. */
export function website(locale: Locale = siteLocale()): Thing {
  return {
    "@type": "WebSite",
    "@id": absolute("/#site"),
    name: siteSettings().site.title,
    description: siteDescription(locale).text,
    url: absolute(localPath(locale, FIXED_PATHS.home)),
    inLanguage: locale.language.tag,
    potentialAction: {
      "@type": "SearchAction",
      target: {
        "@type": "EntryPoint",
        urlTemplate: `${absolute(localPath(locale, FIXED_PATHS.search))}?q={search_term_string}`,
      },
      "query-input": "required name=search_term_string",
    },
  };
}

/** @param trail the pages above this one from the top, and this one */
export function breadcrumbs(trail: readonly (readonly [name: string, path: string])[]): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: trail.map(([name, path], index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: absolute(path),
    })),
  };
}

export function quotation({ quote, author, language, permalink, tags, source }: CardData): Thing {
  const { name, slug } = author;
  const creator = { "@type": "Person", name, url: absolute(listingPath("author", slug)) };
  return {
    "@type": "Quotation",
    "@id": absolute(permalink),
    url: absolute(permalink),
    text: quote.text,
    inLanguage: language.tag,
    ...(name === null ? {} : { creator }),
    ...(tags.length === 0 ? {} : { keywords: tags.map((tag) => tag.name) }),
    ...(source === null ? {} : { isPartOf: workOf(source) }),
  };
}

/** A year such as `c. 350 BC` is no date of schema.org. */
function workOf({ work, year }: QuoteSource): Thing {
  const published = year !== null && /^\d{4}$/.test(year) ? { datePublished: year } : {};
  return { "@type": "CreativeWork", name: work, ...published };
}

/**
 * A list of the quotes on a page, and the author of an author's page.
 *
 * It links to the quotes and does not repeat their text, which would cost a row for each card of every page.
 */
export function listingThings(listing: ListingPage, name: string, path: string): Thing[] {
  const { kind, ids, total, page } = listing;
  const url = absolute(path);
  const list: Thing = {
    "@type": "ItemList",
    name,
    url,
    numberOfItems: total,
    itemListOrder: "https://schema.org/ItemListOrderDescending",
    itemListElement: ids.map((id, index) => ({
      "@type": "ListItem",
      position: index + 1,
      url: `${url}#q${id}`,
    })),
  };
  const isPerson = kind === "author" && listing.name !== null && page === 1;
  return isPerson
    ? [list, { "@type": "Person", name: listing.name, url, ...factsOf(listing) }]
    : [list];
}

function factsOf({ facts }: ListingPage): Thing {
  if (facts === null) return {};
  const { bio, wikidata, link, portrait } = facts;
  const item = wikidata === null ? null : `https://www.wikidata.org/entity/${wikidata}`;
  const sameAs = [item, link].filter((address) => address !== null);
  return {
    ...(bio === null ? {} : { description: bio }),
    ...(sameAs.length === 0 ? {} : { sameAs }),
    ...(portrait === null ? {} : { image: absolute(portrait) }),
  };
}
