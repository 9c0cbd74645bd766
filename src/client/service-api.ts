/**
 * The interface of a quotes service, written once: its paths, the query of a window, how an answer is read, where a vote goes.
 *
 * No other module of `src` names a path of the service. docs/another-service.md says what a second instance needs.
 */
import { decodePage, type Page } from "../contract/body.ts";
import { decodeQuote, decodeTag, type Decoded } from "../contract/decode.ts";
import type { Quote, Tag } from "../contract/quote.ts";
import type { Filter } from "../contract/window.ts";

/** Query parameters in the order in which they are sent; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Part of a list, requested with one GET. */
interface WindowRequest {
  readonly query: Query;
  /**
   * Offset of the first record that the service sends. It may lie before the one that is wanted, where a service has pages with
   * numbers: the records before the wanted one are left out.
   */
  readonly offset: number;
}

export const VOTE_OPERATIONS = ["upvote", "downvote", "report"] as const;

export type VoteOperation = (typeof VOTE_OPERATIONS)[number];

export interface ServiceApi {
  /** What all paths begin with, below the base address; empty for none. A base address must not end in it. */
  readonly root: string;
  readonly paths: {
    readonly quotes: string;
    /** Null where the service has none: then nothing is requested. */
    readonly quoteOfTheDay: string | null;
    /** Null where the service has none: tags then come from the quotes alone. */
    readonly tags: string | null;
  };
  /**
   * The request for part of a filtered list.
   *
   * @param limit records wanted; a service may send fewer. An answer for the same offset must not depend on the limit
   */
  readonly quotes: (filter: Filter, offset: number, limit: number) => WindowRequest;
  readonly tags: (offset: number, limit: number) => WindowRequest;
  /** @param language null for any */
  readonly quoteOfTheDay: (language: string | null) => Query;
  /** Reads a window: every record becomes a quote or is quarantined, and only an explicit end is one. */
  readonly readQuotes: (body: unknown) => Decoded<Page<Quote>>;
  readonly readTags: (body: unknown) => Decoded<Page<Tag>>;
  /** Path of the POST that counts a vote, or reports a quote, with its key as `pk`. */
  readonly votePath: (operation: VoteOperation) => string;
}

const ROOT = "/apiv1";

/** The service of the contract (docs/walk.md says what the walk relies on). */
export const SERVICE_API = {
  root: ROOT,
  paths: {
    quotes: `${ROOT}/quotes/`,
    quoteOfTheDay: `${ROOT}/qod/`,
    tags: `${ROOT}/tags/`,
  },
  quotes: (filter, offset, limit) => ({ query: quotesQuery(filter, offset, limit), offset }),
  tags: (offset, limit) => ({ query: { limit, offset }, offset }),
  quoteOfTheDay: (language) => ({ language: language ?? undefined }),
  readQuotes: (body) => decodePage(body, decodeQuote),
  readTags: (body) => decodePage(body, decodeTag),
  votePath: (operation) => `${ROOT}/${operation}/`,
} as const satisfies ServiceApi;

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

/** Leaves out the records of a window that lie before the wanted offset. */
export function fromOffset<T>(page: Page<T>, sentFrom: number, wanted: number): Page<T> {
  const rows = wanted - sentFrom;
  if (rows <= 0) return page;
  // Vacant rows have a place in the list, but are neither items nor counted by the index of a record.
  const before = rows - page.vacant.filter((place) => place < rows).length;
  const isLater = ({ index }: { readonly index: number }): boolean => index >= before;
  // Items have no index of their own: those before a quarantined record are counted without it.
  const unread = page.quarantined.filter((one) => !isLater(one)).length;
  return {
    ...page,
    items: page.items.slice(before - unread),
    vacant: page.vacant.filter((place) => place >= rows).map((place) => place - rows),
    quarantined: page.quarantined
      .filter(isLater)
      .map((one) => ({ ...one, index: one.index - before })),
  };
}

/** The page of a list that a service does not have. */
export const NO_PAGE: Page<never> = {
  items: [],
  quarantined: [],
  dropped: [],
  unread: [],
  named: [],
  vacant: [],
  shape: "envelope",
  next: null,
  count: 0,
};
