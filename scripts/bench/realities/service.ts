/**
 * A small quotes service on a real socket, which behaves as ordinary servers do: limiters, caches, page sizes, encodings. What it
 * does is a list of `Reality`, so that several can be combined. Benches and tests share it.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { passesLength } from "../../../test/support/service/index.ts";
import type { Quote as ListedQuote } from "../floor/model.ts";

export interface Quote extends ListedQuote {
  readonly image: string | null;
}

export interface Asked {
  readonly url: URL;
  readonly isList: boolean;
  /** Whether the list has no filter. */
  readonly isPlain: boolean;
  readonly offset: number;
  /** As requested, at most the cap of the service. */
  readonly limit: number;
  /** Requests for lists of this night, from 1. */
  readonly number: number;
  /** Requests that are answered at this moment, this one included. */
  readonly inFlight: number;
  /** Requests on this connection, from 1. */
  readonly onConnection: number;
  /** Milliseconds since the epoch, by the clock of the harvest. */
  readonly now: number;
}

export interface Page {
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly unknown[];
  readonly count?: number;
}

export interface Answer {
  /** "reset" ends the connection without an answer, "cut" after half of the body. */
  readonly status: number | "reset" | "cut";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, bytes and text as they are. */
  readonly body?: unknown;
  /** Sends the body in another way than Node's server would. */
  readonly send?: (bytes: Buffer, response: ServerResponse, asked: Asked) => void;
}

/** One way in which a server is ordinary. Each part is optional. */
export interface Reality {
  /** Answers in the place of the service; null for the service's own answer. */
  readonly instead?: (asked: Asked, service: Service) => Answer | null;
  /** Where a page begins that is requested at an offset. */
  readonly begin?: (offset: number, limit: number, rows: number) => number;
  /** Changes a page of quotes. */
  readonly page?: (page: Page, asked: Asked, service: Service) => unknown;
  /** Changes what goes over the wire. */
  readonly wire?: (answer: Answer, asked: Asked) => Answer;
  /** The order of the list; by key where absent. */
  readonly order?: (one: Quote, other: Quote) => number;
  /** Time that an answer takes. */
  readonly delayMs?: number;
  /** Keys that no answer shows. */
  readonly hides?: (pk: number) => boolean;
}

/** Rows of a page, before it goes over the wire in some other form. */
function countRows(body: unknown): number {
  const { results } = (body ?? {}) as { results?: unknown };
  return Array.isArray(results) ? results.length : 0;
}

const FILTERS = ["lang", "language", "tags", "curated", "author", "minlength", "maxlength"];

export class Service {
  quotes: Quote[];
  realities: readonly Reality[] = [];
  readonly cap: number;
  readonly #now: () => number;
  #lists = 0;
  #inFlight = 0;
  #requests = 0;
  #largest = 0;
  readonly #onConnection = new WeakMap<Socket, number>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(quotes: readonly Quote[], cap: number, now: () => number) {
    this.quotes = [...quotes];
    this.cap = cap;
    this.#now = now;
  }

  /** @param now the clock of the harvest, whose waits may be skipped */
  static async start(quotes: readonly Quote[], cap: number, now: () => number): Promise<Service> {
    const service = new Service(quotes, cap, now);
    service.#server.keepAliveTimeout = 0;
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Begins a night, and returns the requests of the one before, and the rows of the largest page that was served. */
  night(): { readonly requests: number; readonly largestPage: number } {
    const before = { requests: this.#requests, largestPage: this.#largest };
    this.#requests = 0;
    this.#largest = 0;
    this.#lists = 0;
    return before;
  }

  /** Keys that the service shows now. */
  keys(): number[] {
    const shown = ({ pk }: Quote): boolean => !this.realities.some(({ hides }) => hides?.(pk));
    return this.quotes.filter(shown).map(({ pk }) => pk);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The page at an offset, as a service without realities would serve it. */
  pageAt(url: URL, offset: number, limit: number): Page {
    const rows = this.#rows(url.searchParams);
    const linkTo = (to: number): string => {
      const link = new URL(url);
      link.searchParams.set("limit", String(limit));
      link.searchParams.set("offset", String(to));
      return link.href;
    };
    return {
      next: offset + limit < rows.length ? linkTo(offset + limit) : null,
      previous: offset > 0 ? linkTo(Math.max(0, offset - limit)) : null,
      results: rows.slice(offset, offset + limit),
    };
  }

  #rows(query: URLSearchParams): Quote[] {
    const [language, tag] = [query.get("lang") ?? query.get("language"), query.get("tags")];
    const order = this.realities.find((one) => one.order !== undefined)?.order;
    const byKey = (one: Quote, other: Quote): number => one.pk - other.pk;
    const byLikes = (one: Quote, other: Quote): number =>
      other.likes - one.likes || byKey(one, other);
    return this.quotes
      .filter((one) => language === null || one.language === language)
      .filter(({ tags }) => tag === null || tags.includes(tag))
      .filter(({ pk }) => query.get("curated") !== "1" || pk % 5 === 0)
      .filter(({ quote }) => passesLength(query, () => [...quote].length))
      .sort(query.get("order") === "-likes" ? byLikes : (order ?? byKey));
  }

  #truth(asked: Asked): Answer {
    const { url, offset, limit } = asked;
    if (url.pathname.endsWith("/tags/")) {
      const names = [...new Set(this.quotes.flatMap(({ tags }) => tags))].sort();
      const results = names.slice(offset, offset + limit).map((name) => ({ name, slug: name }));
      const next = offset + limit < names.length ? `${url.href}&offset=${offset + limit}` : null;
      return { status: 200, body: { count: names.length, next, previous: null, results } };
    }
    if (url.pathname.endsWith("/qod/")) return { status: 200, body: this.quotes[0] };
    if (!asked.isList) return { status: 404, body: { detail: "Not found." } };
    const rows = this.#rows(url.searchParams).length;
    const begin = this.realities.find((one) => one.begin !== undefined)?.begin;
    const at = begin?.(offset, limit, rows) ?? offset;
    let body: unknown = this.pageAt(url, at, limit);
    for (const { page } of this.realities) body = page?.(body as Page, asked, this) ?? body;
    return { status: 200, body };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests++;
    this.#inFlight++;
    try {
      const asked = this.#readRequest(request);
      const delayMs = Math.max(0, ...this.realities.map((one) => one.delayMs ?? 0));
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const insteads = this.realities.map((one) => one.instead?.(asked, this) ?? null);
      let answer = insteads.find((one) => one !== null) ?? this.#truth(asked);
      const rows = asked.isList ? countRows(answer.body) : 0;
      for (const { wire } of this.realities) answer = wire?.(answer, asked) ?? answer;
      if (answer.status === 200) this.#largest = Math.max(this.#largest, rows);
      if (answer.status === "reset") return void request.socket.resetAndDestroy();
      const { status, headers, body = "", send } = answer;
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      if (send !== undefined) {
        send(Buffer.from(isRaw ? body : JSON.stringify(body)), response, asked);
        return;
      }
      if (status === "cut") {
        const bytes = Buffer.from(JSON.stringify(body));
        response.writeHead(200, { "content-length": String(bytes.length) });
        response.write(bytes.subarray(0, bytes.length >> 1), () => request.socket.destroy());
        return;
      }
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(isRaw ? body : JSON.stringify(body));
    } finally {
      this.#inFlight--;
    }
  }

  #readRequest(request: IncomingMessage): Asked {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
    const isList = url.pathname.endsWith("/quotes/");
    const onConnection = (this.#onConnection.get(request.socket) ?? 0) + 1;
    this.#onConnection.set(request.socket, onConnection);
    return {
      ...{ url, isList, onConnection, inFlight: this.#inFlight, now: this.#now() },
      isPlain: isList && !FILTERS.some((name) => url.searchParams.has(name)),
      offset: Math.max(0, Number(url.searchParams.get("offset")) || 0),
      limit: Math.min(this.cap, Number(url.searchParams.get("limit")) || 5),
      number: isList ? ++this.#lists : 0,
    };
  }
}
