/** Requests for each list of the service. */
import type { Page } from "../contract/body.ts";
import type { Quote, Tag } from "../contract/quote.ts";
import { GarbledAnswer, PermanentAnswer, ServerFault } from "../contract/errors.ts";
import {
  countRecords,
  isSlice,
  type Filter,
  type GetQuoteOfTheDay,
  type GetQuotes,
  type ServedPage,
} from "../contract/window.ts";
import { isDamaged, mayBeDamaged } from "../util/damage.ts";
import type { Client } from "./client.ts";
import { LanguageCodes } from "./language-codes.ts";
import { fromOffset, NO_PAGE, SERVICE_API, type ServiceApi } from "./service-api.ts";

/**
 * @param limits the page limit that earlier requests of the same run found, and how to store it
 * @param known the published form of a quote: a field that cannot be read keeps its value
 * @param languages codes in the records of earlier runs
 */
export function quotesOf(
  client: Client,
  limits?: KnownLimits,
  api: ServiceApi = SERVICE_API,
  known: (id: number) => Quote | undefined = () => undefined,
  languages: readonly string[] = [],
): GetQuotes {
  const sendFitting = limitFitter(limits);
  const codes = new LanguageCodes(languages);
  let usual = limits === undefined ? { most: null } : limits.usual;
  return async (filter, offset, limit, attempts) => {
    const send = (sent: Filter): Promise<ServedPage> =>
      sendFitting(Math.min(limit, usual?.most ?? limit), offset, attempts, (size, attempts) => {
        return getPage(sent, offset, size, attempts);
      });
    const page = await codes.ask(filter, offset, send);
    return usual === null && offset === 0 && limit > ALLOWED_LIMIT ? larger(page, filter) : page;
  };

  /** Some services answer a limit above their largest with a page of their default size: one of a limit that most allow may be larger. */
  async function larger(page: ServedPage, filter: Filter): Promise<ServedPage> {
    const rows = countRecords(page);
    if (isSlice(filter) || rows === 0 || page.next === null) return page;
    const mayBeDefault = rows <= LARGEST_DEFAULT && rows % 5 === 0;
    const asked = mayBeDefault ? getPage(filter, 0, ALLOWED_LIMIT, "once") : Promise.resolve(null);
    const other = await asked.catch((error: unknown) => {
      if (error instanceof PermanentAnswer || error instanceof ServerFault) return null;
      throw error;
    });
    const isLarger = other !== null && countRecords(other) > rows;
    usual = { most: isLarger ? ALLOWED_LIMIT : null };
    limits?.keepUsual(usual);
    return isLarger ? other : page;
  }

  async function getPage(
    filter: Filter,
    offset: number,
    limit: number,
    attempts: "once" | undefined,
  ): Promise<ServedPage> {
    const asked = api.quotes(filter, offset, limit);
    const sent = await client.get(api.paths.quotes, asked.query, api.readQuotes, attempts);
    const page = fromOffset(sent, asked.offset, offset);
    for (const parts of page.dropped) client.dropped.set(parts.pk, parts);
    const { items, dropped: _, unread, named, ...rest } = page;
    const quotes = keepFields(items, unread, client, known).map((quote) => keepWhole(quote, known));
    codes.note(quotes, named);
    return { ...rest, quotes, offset };
  }
}

/** Fields of a quote, by their names on the wire. */
const FIELDS = { author: "author", likes: "likes", tags: "tags", language: "language" } as const;

/** Gives a field that could not be read its published value, and counts it by the name of the field. */
function keepFields(
  quotes: readonly Quote[],
  unread: Page<Quote>["unread"],
  client: Client,
  known: (id: number) => Quote | undefined,
): readonly Quote[] {
  if (unread.length === 0) return quotes;
  const fieldsOf = new Map(unread.map(({ pk, fields }) => [pk, fields]));
  return quotes.map((quote) => {
    const fields = fieldsOf.get(quote.id) ?? [];
    const before = fields.length === 0 ? undefined : known(quote.id);
    const kept = fields.flatMap((name) => {
      client.noteUnread(name, quote.id);
      const field = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : null;
      return field === null || before === undefined ? [] : [[field, before[field]] as const];
    });
    return { ...quote, ...Object.fromEntries(kept) };
  });
}

/** Gives a text or an author that lost letters its published value. */
function keepWhole(quote: Quote, known: (id: number) => Quote | undefined): Quote {
  const { text, author } = quote;
  if (![text, author ?? ""].some(mayBeDamaged)) return quote;
  const before = known(quote.id);
  if (before === undefined) return quote;
  const isLost = isDamaged(author ?? "", before.author ?? "");
  const own = isLost ? { author: before.author } : {};
  return isDamaged(text, before.text)
    ? { ...quote, ...own, text: before.text, served: before.served }
    : { ...quote, ...own };
}

/** The largest page that many services allow, and the largest that is the default of one. */
const ALLOWED_LIMIT = 100;
const LARGEST_DEFAULT = 25;

/** Limits to try when a service refuses a larger one, or is too slow for it: the contract names no largest page. */
const SMALLER_PAGES = [100, 50, 20, 10, 5];
/** The same for the first request of all, where it is no optional one. */
const SMALLEST_PAGES = [...SMALLER_PAGES, 2, 1];

const REFUSES_LIMIT: ReadonlySet<number> = new Set([400, 413, 422]);

/** Statuses of a page that takes the service too long, by our clock or that of a proxy. */
const TOO_SLOW: ReadonlySet<number> = new Set([502, 504]);

export interface KnownLimits {
  /** Largest limit to send, `most: null` for any; null until the service has accepted a limit. */
  readonly known: { readonly most: number | null } | null;
  readonly keep: (known: { readonly most: number | null }) => void;
  /** Limit above which an earlier run got smaller pages, `most: null` for none; null until that was tried. */
  readonly usual: { readonly most: number | null } | null;
  readonly keepUsual: (usual: { readonly most: number | null }) => void;
}

/**
 * Makes a function that sends a request. While the service has accepted no limit, a refusal or a time-out makes it try a
 * smaller one.
 */
function limitFitter(
  { known, keep }: Pick<KnownLimits, "known" | "keep"> = { known: null, keep: () => undefined },
) {
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
        // The first request of all may be refused for its limit by any status, and by 200 with what is no page.
        const isFirst = known === null && offset === 0;
        const isNeeded = isFirst && attempts === undefined;
        const sizes = isNeeded ? SMALLEST_PAGES : SMALLER_PAGES;
        const fewer = sizes.find((smaller) => smaller < size);
        const isRefused =
          (error instanceof GarbledAnswer && isNeeded) ||
          (error instanceof PermanentAnswer && (isFirst || REFUSES_LIMIT.has(error.status))) ||
          (error instanceof ServerFault && error.verdict === "too large");
        const isSlow =
          error instanceof ServerFault && TOO_SLOW.has(error.status) && attempts === undefined;
        // If an earlier session had an answer, the service refuses the offset and not the limit.
        const isOfOffset = known !== null && offset > 0;
        if (!(isRefused || isSlow) || accepted || isOfOffset || fewer === undefined) throw error;
        size = fewer;
        if (isSlow) attempts = "once";
      }
    }
  };
}

export function quoteOfTheDayOf(client: Client, api: ServiceApi = SERVICE_API): GetQuoteOfTheDay {
  return async (language) => {
    const path = api.paths.quoteOfTheDay;
    if (path === null) return [];
    return (await client.get(path, api.quoteOfTheDay(language), api.readQuotes, "once")).items;
  };
}

/** One page of the tag list. */
export type GetTags = (offset: number, limit: number) => Promise<Page<Tag>>;

export function tagsOf(client: Client, api: ServiceApi = SERVICE_API): GetTags {
  const path = api.paths.tags;
  if (path === null) return () => Promise.resolve(NO_PAGE);
  // The service has answered: a refused list of tags is no matter of its limit.
  const sendFitting = limitFitter({ known: { most: null }, keep: () => undefined });
  return (offset, limit) =>
    sendFitting(limit, offset, undefined, async (size, attempts) => {
      const asked = api.tags(offset, size);
      const sent = await client.get(path, asked.query, api.readTags, attempts);
      return fromOffset(sent, asked.offset, offset);
    });
}
