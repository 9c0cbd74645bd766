/**
 * A service that answers falsely on demand, over a real socket: a mutable collection, an order, filters, and a script
 * that replaces the true answer by one of `FALSE_ANSWERS`.
 *
 * Its fields may be changed at any time, also between two requests of one harvest.
 */
import { onTestFinished } from "vitest";
import type { WireQuote } from "../../../src/contract/quote.ts";
import {
  answer as honestAnswer,
  cutPage,
  passesLength,
  type WirePage,
} from "../../support/service/index.ts";
import { isList, answer, type Asked, type FalseAnswer, type Pages, type Answer } from "./table.ts";
import {
  type Call,
  type FaultServer,
  json,
  redirect,
  startFaultServer,
  text,
} from "../../support/http/index.ts";

/** Length of a text as `minlength` and `maxlength` count it. */
const LENGTHS = {
  "code points": (words: string) => [...words].length,
  "UTF-16 units": (words: string) => words.length,
  bytes: (words: string) => Buffer.byteLength(words),
  words: (words: string) => words.split(/\s+/).length,
} as const;

type Compare = ((a: WireQuote, b: WireQuote) => number) | null;

/** Null leaves the rows as they are. */
const ORDERS = {
  "by key": (a, b) => a.pk - b.pk,
  "newest first": (a, b) => b.pk - a.pk,
  "by likes": (a, b) => b.likes - a.likes || a.pk - b.pk,
  /** As in a table without an order: a row that is written again is the last. */
  "as written": null,
  /** By likes, and anew for each request among equals. */
  "random ties": (a, b) => b.likes - a.likes,
} as const satisfies Readonly<Record<string, Compare>>;

export type OrderName = keyof typeof ORDERS;
export const ORDER_NAMES = Object.keys(ORDERS) as OrderName[];

export interface FalseServiceOptions {
  readonly quotes: WireQuote[];
  readonly order?: OrderName;
  readonly cap?: number;
  readonly random?: () => number;
}

export class FalseService implements Pages {
  quotes: WireQuote[];
  order: OrderName;
  cap: number;
  length: keyof typeof LENGTHS = "code points";
  /** The highest key that ever was: none is given out twice. */
  newest: number;
  /** Quotes that were deleted so far, for those who count them. */
  deleted = 0;
  /** Query parameters without effect. */
  ignored: readonly string[] = [];
  /** Keys that `curated=1` lists. */
  curated: ReadonlySet<number> = new Set();
  /** What replaces the truth. */
  script: FalseAnswer = () => null;
  readonly #random: () => number;
  #lists = 0;
  /** The collection at the beginning of this night and of the one before. */
  #snapshots: [readonly WireQuote[], readonly WireQuote[]];
  #server: FaultServer | null = null;

  constructor({ quotes, order = "by key", cap = 100, random = Math.random }: FalseServiceOptions) {
    this.quotes = quotes;
    this.#snapshots = [[...quotes], [...quotes]];
    this.newest = quotes.reduce((most, { pk }) => Math.max(most, pk), 0);
    this.order = order;
    this.cap = cap;
    this.#random = random;
  }

  static async start(options: FalseServiceOptions): Promise<FalseService> {
    const service = new FalseService(options);
    const server = await startFaultServer((call) => {
      const { status, body, headers = {} } = service.#answer(call);
      if (status === 302) return redirect("/elsewhere/");
      return typeof body === "string" ? text(body, status) : json(body, status, headers);
    });
    service.#server = server;
    onTestFinished(() => service.close());
    return service;
  }

  get #running(): FaultServer {
    if (this.#server === null) throw new Error("the service was not started");
    return this.#server;
  }

  close(): Promise<void> {
    return this.#running.close();
  }

  get url(): string {
    return this.#running.url;
  }

  get journal(): Call[] {
    return this.#running.journal;
  }

  /** Begins a night: requests are counted from 1 again. */
  night(): void {
    this.#lists = 0;
    this.journal.length = 0;
    this.#snapshots = [[...this.quotes], this.#snapshots[0]];
  }

  keys(): number[] {
    return this.quotes.map(({ pk }) => pk).sort((a, b) => a - b);
  }

  page(url: URL, without: readonly string[] = [], lacks?: number): WirePage {
    const quotes = this.quotes.filter(({ pk }) => pk !== lacks);
    return this.#pageOf(quotes, url, without);
  }

  stalePage(url: URL): WirePage {
    return this.#pageOf(this.#snapshots[1], url, []);
  }

  #answer(call: Call): Answer {
    const query = call.url.searchParams;
    const list = isList(call) ? ++this.#lists : 0;
    const offset = Number(query.get("offset")) || 0;
    const asked: Asked = { ...call, list, query, offset, truth: this.truth(call.url) };
    return this.script(asked, this) ?? asked.truth;
  }

  /** What an honest service answers now. */
  truth(url: URL): Answer {
    switch (url.pathname) {
      case "/apiv1/quotes/":
        return answer(this.page(url));
      case "/apiv1/tags/":
        return answer(honestAnswer(this.quotes, url, this));
      case "/apiv1/qod/":
        return this.quotes[0] === undefined ? answer({}, 404) : answer(this.quotes[0]);
      default:
        return answer({ detail: "Not found." }, 404);
    }
  }

  #pageOf(quotes: readonly WireQuote[], url: URL, without: readonly string[]): WirePage {
    const query = new URLSearchParams(url.search);
    for (const name of [...this.ignored, ...without]) query.delete(name);
    const found = this.#rowsInOrder(quotes, query.get("order")).filter(this.#filter(query));
    return cutPage(found, url, this);
  }

  #rowsInOrder(quotes: readonly WireQuote[], asked: string | null): WireQuote[] {
    const order = asked === "-likes" ? "by likes" : this.order;
    const rows = [...quotes];
    if (order === "random ties") this.#shuffle(rows);
    const compare: Compare = ORDERS[order];
    return compare === null ? rows : rows.sort(compare);
  }

  #shuffle(rows: WireQuote[]): void {
    for (let at = rows.length - 1; at > 0; at--) {
      const other = Math.floor(this.#random() * (at + 1));
      [rows[at], rows[other]] = [rows[other]!, rows[at]!];
    }
  }

  /** Whether a quote passes the filters of a query. */
  #filter(query: URLSearchParams): (quote: WireQuote) => boolean {
    const language = query.get("lang") ?? query.get("language");
    const tags = query.get("tags")?.toLowerCase().split(",") ?? [];
    const author = query.get("author")?.toLowerCase();
    const isCurated = query.get("curated") === "1";
    return (quote) =>
      (language === null || quote.language === language) &&
      tags.every((tag) => quote.tags.some((name) => name.toLowerCase() === tag)) &&
      (!isCurated || this.curated.has(quote.pk)) &&
      (author === undefined || (quote.author ?? "").toLowerCase().includes(author)) &&
      passesLength(query, () => LENGTHS[this.length](quote.quote));
  }
}

/** Quotes of many lengths, some languages, authors and tags, the same on every call. */
export function libraryOf(size: number, first = 1): WireQuote[] {
  return Array.from({ length: size }, (_, at) => quoteAt(first + at));
}

export function quoteAt(pk: number, more: Partial<WireQuote> = {}): WireQuote {
  const words = "all that is written here was once said by a person to another one ".repeat(3);
  return {
    pk,
    quote: `${words.slice(0, 8 + ((pk * 37) % 161)).trim()} ${pk}.`,
    author: pk % 7 === 0 ? null : `Author ${pk % 13}`,
    likes: (pk * 31) % 23,
    tags: [`tag-${pk % 61}`],
    image: null,
    language: ["en", "fr", "he", "en", "de"][pk % 5] ?? "en",
    ...more,
  };
}
