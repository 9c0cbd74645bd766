/** Requests for each list of the service, and the query parameters of a filter (contract, sections 4.1 and 4.3). */
import { decodeQuote, decodeTag } from "../contract/decode.ts";
import { decodePage, type Page } from "../contract/page.ts";
import type { Tag } from "../contract/tag.ts";
import type { Filter, GetQuoteOfTheDay, GetQuotes } from "../contract/window.ts";
import type { Client, Query } from "./client.ts";

export function quotesOf(client: Client): GetQuotes {
  return async (filter, offset, limit, attempts) => {
    const query = quotesQuery(filter, offset, limit);
    const read = (body: unknown) => decodePage(body, decodeQuote);
    const page = await client.get("/apiv1/quotes/", query, read, attempts);
    for (const parts of page.dropped) client.dropped.set(parts.pk, parts);
    return { ...page, quotes: page.items, offset };
  };
}

export function quoteOfTheDayOf(client: Client): GetQuoteOfTheDay {
  return async (language) => {
    const read = (body: unknown) => decodePage(body, decodeQuote);
    const query = { language: language ?? undefined };
    return (await client.get("/apiv1/qod/", query, read)).items;
  };
}

/** One page of the tag list. */
export type GetTags = (offset: number, limit: number) => Promise<Page<Tag>>;

export function tagsOf(client: Client): GetTags {
  return (offset, limit) =>
    client.get("/apiv1/tags/", { limit, offset }, (body) => decodePage(body, decodeTag));
}

export function quotesQuery(filter: Filter, offset: number, limit: number): Query {
  const { language, tag, curated, minLength, maxLength } = filter;
  return {
    // The service splits a name at a comma; no way to send such a name is known.
    tags: tag ?? undefined,
    curated: curated ? 1 : undefined,
    order: filter.mostLiked ? "-likes" : undefined,
    lang: language ?? undefined,
    // The contract's request for curated quotes has `language` in place of `lang`.
    language: curated ? (language ?? undefined) : undefined,
    minlength: minLength ?? undefined,
    maxlength: maxLength ?? undefined,
    limit,
    offset,
  };
}
