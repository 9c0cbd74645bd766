/**
 * A collection that changes while it is read, as the model of docs/walk.md, section 1: a sequence of quotes, pages cut from it.
 *
 * It answers as a service of this kind does, with a silent clamp and a `next` that names another host.
 */
import type { WireQuote } from "../../../src/contract/quote.ts";

interface Paging {
  /** Most records in a page, whatever is asked for. */
  readonly cap: number;
}

export interface WirePage {
  next: string | null;
  previous: string | null;
  results: unknown[];
  count?: number;
}

export function wireQuote(pk: number, more: Partial<WireQuote> = {}): WireQuote {
  return {
    pk,
    quote: `Sentence number ${pk} stands here.`,
    author: pk % 7 === 0 ? null : `Author ${pk % 13}`,
    likes: pk % 5,
    tags: [`tag-${pk % 4}`],
    image: null,
    language: ["en", "fr", "he"][pk % 3] ?? "en",
    ...more,
  };
}

export function collectionOf(size: number): WireQuote[] {
  return Array.from({ length: size }, (_, index) => wireQuote(index + 1));
}

/** Whether a quote passes the filters of an address. */
export function passes(quote: WireQuote, query: URLSearchParams): boolean {
  const language = query.get("lang") ?? query.get("language");
  const tag = query.get("tags");
  return (
    (language === null || quote.language === language) &&
    (tag === null || quote.tags.includes(tag)) &&
    passesLength(query, () => [...quote.quote].length)
  );
}

/** Measures only where a length is asked for: collections are large, and requests many. */
export function passesLength(query: URLSearchParams, measure: () => number): boolean {
  const [least, most] = [query.get("minlength"), query.get("maxlength")];
  if (least === null && most === null) return true;
  const length = measure();
  return length >= Number(least ?? 0) && length <= Number(most ?? Infinity);
}

/** One page, as the contract describes it. */
export function pageOf(quotes: readonly WireQuote[], url: URL, { cap }: Paging): WirePage {
  const query = url.searchParams;
  const found = quotes.filter((quote) => passes(quote, query));
  if (query.get("order") === "-likes") found.sort((a, b) => b.likes - a.likes);
  return cutPage(found, url, { cap });
}

/** The page that an address names of what passes its filters, in its order. */
export function cutPage(found: readonly WireQuote[], url: URL, { cap }: Paging): WirePage {
  const query = url.searchParams;
  const limit = Math.min(cap, Number(query.get("limit")) || 5);
  const offset = Number(query.get("offset")) || 0;
  const end = offset + limit;
  const next = new URL(url);
  next.host = "elsewhere.example";
  next.searchParams.set("limit", String(limit));
  next.searchParams.set("offset", String(end));
  return {
    next: end < found.length ? next.href : null,
    previous: null,
    results: found.slice(offset, end),
  };
}

/** A whole service: quotes, the tags they carry, and the first quote as the quote of the day. */
export function answer(quotes: readonly WireQuote[], url: URL, paging: Paging): unknown {
  switch (url.pathname) {
    case "/apiv1/tags/": {
      const names = [...new Set(quotes.flatMap(({ tags }) => tags))].sort();
      const results = names.map((name) => ({ name, slug: name }));
      return { count: results.length, next: null, previous: null, results };
    }
    case "/apiv1/qod/":
      return quotes[0];
    default:
      return pageOf(quotes, url, paging);
  }
}
