/** The ways in which a service answers falsely, as a table of functions of the true answer. */
import type { WireQuote } from "../../../src/contract/quote.ts";
import type { WirePage } from "../../support/service/index.ts";
import type { Call } from "../../support/http/index.ts";

/** What goes back: a status and a body. A string is sent as HTML. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

export interface Asked extends Call {
  /** Which request for quotes this is, counted from 1 since `night()`; 0 for another path. */
  readonly list: number;
  readonly query: URLSearchParams;
  readonly offset: number;
  readonly truth: Answer;
}

/** What a false answer may need of the service. */
export interface Pages {
  /** The true page, without some of the parameters, or as if there were no quote with a key. */
  page(url: URL, without: readonly string[], lacks?: number): WirePage;
  /** The page as it was at the beginning of the night before. */
  stalePage(url: URL): WirePage;
}

/** Null where it makes no sense for this request, which then gets the true answer. */
export type FalseAnswer = (asked: Asked, service: Pages) => Answer | null;

const FILTERS = ["lang", "language", "tags", "curated", "author", "minlength", "maxlength"];

export const isFiltered = ({ query }: Asked): boolean => FILTERS.some((name) => query.has(name));
export const isList = ({ url }: { readonly url: URL }): boolean =>
  url.pathname === "/apiv1/quotes/";

export const answer = (body: unknown, status = 200, headers = {}): Answer => ({
  ...{ status, body, headers },
});
export const pageIn = ({ truth }: Asked): WirePage | null =>
  truth.status === 200 && typeof truth.body === "object" && "results" in (truth.body ?? {})
    ? (truth.body as WirePage)
    : null;
/** A false page in the place of a true one; every other answer stays true. */
export const about =
  (change: (page: WirePage, asked: Asked) => unknown): FalseAnswer =>
  (asked) => {
    const page = pageIn(asked);
    return page === null ? null : answer(change(page, asked));
  };
const always =
  (body: unknown, status = 200): FalseAnswer =>
  () =>
    answer(body, status);
/** The right keys with other contents. */
const contents = (change: (row: WireQuote, next: WireQuote) => Partial<WireQuote>): FalseAnswer =>
  about((page) => {
    const all = page.results as WireQuote[];
    if (all.some(({ quote }) => quote === undefined)) return page;
    const next = (at: number): WireQuote => all[(at + 1) % all.length] as WireQuote;
    return { ...page, results: all.map((row, at) => ({ ...row, ...change(row, next(at)) })) };
  });
const half = (rows: readonly unknown[]): unknown[] => rows.slice(0, rows.length >> 1);

/** Ways to answer falsely, all but the refusals with status 200. */
const TABLE = {
  "page cut, next null": about((page) => ({ ...page, results: half(page.results), next: null })),
  "page cut, next kept": about((page) => ({ ...page, results: half(page.results) })),
  "full page, next null": about((page) => ({ ...page, next: null })),
  "no next": about(({ results, previous }) => ({ results, previous })),
  "bare array": about(({ results }) => results),
  "bare object": about(({ results }) => results[0] ?? {}),
  "empty, next null": about((page) => ({ ...page, results: [], next: null })),
  "empty, next kept": about((page) => ({ ...page, results: [] })),
  "rows hidden": about((page) => ({
    ...page,
    results: page.results.filter((_, at) => at % 4 !== 2),
  })),
  "filters ignored": (asked, service) =>
    isList(asked) && isFiltered(asked) ? answer(service.page(asked.url, FILTERS)) : null,
  "filter index empty": (asked) =>
    isFiltered(asked) ? answer({ next: null, previous: null, results: [] }) : null,
  "stale replica": (asked, service) =>
    isList(asked) ? answer(service.stalePage(asked.url)) : null,
  "offset ignored": (asked, service) =>
    isList(asked) && asked.offset > 0 ? answer(service.page(asked.url, ["offset"])) : null,
  "not found": always({ detail: "Not found." }, 404),
  "bad request": always({ errno: 400, errmsg: "Bad Request" }, 400),
  "server error": always({ detail: "A server error occurred." }, 500),
  "HTML with 200": always("<!doctype html><title>Quotes</title>"),
  "error with 200": always({ errno: 500, errmsg: "internal error" }),
  "wrong types": about((page) => ({
    ...page,
    results: page.results.map((row, at) => (at % 5 === 2 ? mistyped(row, at) : row)),
  })),
  "rows repeated": about((page) => ({
    ...page,
    results: page.results.map((row, at) => (at % 4 === 2 ? page.results[at - 1] : row)),
  })),
  "one author for all": contents(() => ({ author: "One Author" })),
  "no likes": contents(() => ({ likes: 0 })),
  "no tags": contents(() => ({ tags: [] })),
  placeholders: contents(() => ({ quote: "Loading…" })),
  "rows of other keys": contents(({ pk }, next) => ({ ...next, pk })),
  "gateway time-out": always("<h1>504 Gateway Time-out</h1>", 504),
  "too large": always({ detail: "Response too large." }, 413),
  "limit refused": always({ limit: ["Ensure this value is less than or equal to 5."] }, 422),
  "not acceptable": always("<html><title>Not acceptable</title></html>", 406),
  "payment required": always({ detail: "Your plan allows 1000 rows." }, 402),
  "not modified": always("", 304),
  throttled: always({ errno: 429, errmsg: "too many requests" }, 429),
  "rows without a record": about((page) => ({
    ...page,
    results: page.results.map((row, at) => (at % 4 === 2 ? null : row)),
  })),
  "an advertisement": about((page) => ({
    ...page,
    results: [...page.results, { type: "ad", html: "<b>Buy</b>" }],
  })),
  "nested fields": contents(({ author, tags }) => ({
    author: { name: author } as never,
    tags: tags.map((name) => ({ name })) as never,
  })),
  "one language for all": contents(() => ({ language: "en" })),
  "another page": (asked, service) => {
    const url = new URL(asked.url);
    url.searchParams.set("offset", String(asked.offset > 0 ? 0 : 7));
    return isList(asked) ? answer(service.page(url, [])) : null;
  },
  "replica lacks a quote": (asked, service) => {
    const rows = (pageIn(asked)?.results ?? []) as WireQuote[];
    return isList(asked) ? answer(service.page(asked.url, [], rows[rows.length >> 1]?.pk)) : null;
  },
} as const satisfies Readonly<Record<string, FalseAnswer>>;

/** Falsifies the n-th answer to a request for quotes, once. */
export const once =
  (n: number, falseAnswer: FalseAnswer): FalseAnswer =>
  (asked, service) =>
    asked.list === n ? falseAnswer(asked, service) : null;

/** The rows of a page of quotes changed, after it was cut. */
export const rows =
  (change: (rows: WireQuote[]) => unknown[]): FalseAnswer =>
  (asked) => {
    if (!isList(asked)) return null;
    const page = asked.truth.body as WirePage;
    return answer({ ...page, results: change(page.results as WireQuote[]) });
  };

/** Rows that a service with a result window gives out. */
const WINDOW = 250;

export const emptyPastWindow: FalseAnswer = (asked, service) =>
  isList(asked) && asked.offset >= WINDOW ? TABLE["empty, next null"](asked, service) : null;

/** As a search index with a result window: the last row of it is the last of all, and says so. */
export const endOfWindow: FalseAnswer = (asked) => {
  const page = pageIn(asked);
  if (!isList(asked) || page === null || asked.offset < WINDOW - 25) return null;
  const room = Math.max(0, WINDOW - asked.offset);
  const next = page.results.length >= room ? null : page.next;
  return answer({ ...page, results: page.results.slice(0, room), next });
};

export type FalseAnswerName = keyof typeof TABLE;
export const FALSE_ANSWERS: Readonly<Record<FalseAnswerName, FalseAnswer>> = TABLE;
export const FALSE_ANSWER_NAMES = Object.keys(FALSE_ANSWERS) as FalseAnswerName[];

/** The same record with a `likes` or `tags` of another type. */
function mistyped(row: unknown, at: number): unknown {
  const fields = [{ likes: "7" }, { likes: 1.5 }, { tags: 5 }];
  return { ...(row as WireQuote), ...fields[at % fields.length] };
}
