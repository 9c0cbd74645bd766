/** Requests for each list of the service, and the query parameters of a filter (contract, sections 4.1 and 4.3). */
import { decodeQuote, decodeTag } from "../contract/decode.ts";
import { decodePage, type Page } from "../contract/body.ts";
import type { Tag } from "../contract/quote.ts";
import { PermanentAnswer, ServerFault } from "../contract/errors.ts";
import type { Filter, GetQuoteOfTheDay, GetQuotes } from "../contract/window.ts";
import type { Client, Query } from "./client.ts";

/** @param limits the page limit that earlier requests of the same run found, and how to store it */
export function quotesOf(client: Client, limits?: KnownLimits): GetQuotes {
  const sendFitting = limitFitter(limits);
  return (filter, offset, limit, attempts) =>
    sendFitting(limit, offset, attempts, async (size, attempts) => {
      const query = quotesQuery(filter, offset, size);
      const read = (body: unknown) => decodePage(body, decodeQuote);
      const page = await client.get("/apiv1/quotes/", query, read, attempts);
      for (const parts of page.dropped) client.dropped.set(parts.pk, parts);
      return { ...page, quotes: page.items, offset };
    });
}

/** Limits to try when a service refuses a larger one, or is too slow for it: the contract names no largest page. */
const SMALLER_PAGES = [100, 20];

const REFUSES_LIMIT: ReadonlySet<number> = new Set([400, 413, 422]);

export interface KnownLimits {
  /** Largest limit to send, `most: null` for any; null until the service has accepted a limit. */
  readonly known: { readonly most: number | null } | null;
  readonly keep: (known: { readonly most: number | null }) => void;
}

/**
 * Makes a function that sends a request. While the service has accepted no limit, a refusal or a time-out makes it try a
 * smaller one.
 */
function limitFitter({ known, keep }: KnownLimits = { known: null, keep: () => undefined }) {
  let accepted = false;
  let most = known?.most ?? null;
  return async <T>(
    limit: number,
    offset: number,
    attempts: "once" | undefined,
    send: (limit: number, attempts?: "once") => Promise<T>,
  ): Promise<T> => {
    const wanted = Math.min(limit, most ?? limit);
    for (let size = wanted; ;) {
      try {
        const answer = await send(size, attempts);
        const isFewer = size < wanted;
        if (isFewer) most = Math.min(most ?? size, size);
        if (isFewer || (!accepted && known === null)) keep({ most });
        accepted = true;
        return answer;
      } catch (error) {
        const fewer = SMALLER_PAGES.find((smaller) => smaller < size);
        const isRefused = error instanceof PermanentAnswer && REFUSES_LIMIT.has(error.status);
        const isSlow = error instanceof ServerFault && error.isTimeout && attempts === undefined;
        // If an earlier session had an answer, the service refuses the offset and not the limit.
        const isOfOffset = known !== null && offset > 0;
        if (!(isRefused || isSlow) || accepted || isOfOffset || fewer === undefined) throw error;
        size = fewer;
        if (isSlow) attempts = "once";
      }
    }
  };
}

export function quoteOfTheDayOf(client: Client): GetQuoteOfTheDay {
  return async (language) => {
    const read = (body: unknown) => decodePage(body, decodeQuote);
    const query = { language: language ?? undefined };
    return (await client.get("/apiv1/qod/", query, read, "once")).items;
  };
}

/** One page of the tag list. */
export type GetTags = (offset: number, limit: number) => Promise<Page<Tag>>;

export function tagsOf(client: Client): GetTags {
  const sendFitting = limitFitter();
  const read = (body: unknown) => decodePage(body, decodeTag);
  return (offset, limit) =>
    sendFitting(limit, offset, undefined, (size, attempts) =>
      client.get("/apiv1/tags/", { limit: size, offset }, read, attempts),
    );
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
