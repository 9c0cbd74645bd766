/**
 * Starts the embedded service: the contract as running code, for `npm run serve`, for builds without an account, and
 * for tests, which may reach through `store` and change the collection while it is being read.
 */
import { printableLines } from "../contract/printable.ts";
import { createApp, type AppOptions } from "./app.ts";
import { embeddedCollection } from "./collection/collection.ts";
import { HTTP_LIMITS, listen, type HttpLimits } from "./server.ts";
import { loadFile } from "./load.ts";
import type { HeldQuote } from "./quote.ts";
import { Store } from "./store.ts";

export interface ServiceOptions extends Partial<
  Pick<AppOptions, "quota" | "token" | "cors" | "allowedHosts" | "onRequest" | "onBug">
> {
  /** 0, the default, for a free one. */
  readonly port?: number;
  /** Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** What `next` and picture addresses are built from; default the address listened on. */
  readonly publicUrl?: string;
  /** NDJSON to load, also gzipped; default the embedded collection, where the database is empty. */
  readonly data?: string;
  /** Quotes to serve in place of the embedded collection. */
  readonly quotes?: readonly HeldQuote[];
  /** Where quotes and votes are kept; default in memory. */
  readonly db?: string;
  readonly pageSize?: number;
  /** Default 100, or the page size where that is larger. */
  readonly maxLimit?: number;
  readonly limits?: Partial<HttpLimits>;
  /** The clock: milliseconds since the epoch. */
  readonly now?: () => number;
  /** Told what was loaded, and what could not be. */
  readonly say?: (line: string) => void;
}

export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The collection, to look into and to change. */
  readonly store: Store;
  /** Gives the answers under way, then lets go of port and database. */
  close(): Promise<void>;
}

/** What Django REST Framework's tutorial and such services show: five quotes. */
const PAGE_SIZE = 5;
const MAX_LIMIT = 100;

const CLOSE_GRACE_MS = 2_000;

/**
 * Resolves when requests are answered.
 *
 * @throws {ConfigurationError} when the port cannot be had or the data is no such data
 * @throws {DiskError} when the database cannot be used
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const store = new Store(options.db ?? ":memory:", options.now);
  try {
    await fill(store, options);
    const host = options.host ?? "127.0.0.1";
    const limits = { ...HTTP_LIMITS, ...options.limits };
    const listening = await listen(host, options.port ?? 0, limits);
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`;
    const publicUrl = (options.publicUrl ?? url).replace(/\/+$/, "");
    const named = [url, publicUrl].map((address) => new URL(address).hostname);
    const pageSize = options.pageSize ?? PAGE_SIZE;
    const app = createApp({
      store,
      paging: { pageSize, maxLimit: options.maxLimit ?? Math.max(MAX_LIMIT, pageSize) },
      publicUrl,
      allowedHosts: [...named, ...(options.allowedHosts ?? [])],
      quota: options.quota ?? null,
      token: options.token ?? null,
      cors: options.cors ?? null,
      ...(options.onRequest && { onRequest: options.onRequest }),
      onBug: options.onBug ?? complain,
    });
    listening.serve((request, env) => app.fetch(request, env));
    return {
      url,
      store,
      async close() {
        await listening.close(CLOSE_GRACE_MS);
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

async function fill(store: Store, options: ServiceOptions): Promise<void> {
  const { data, quotes, say = () => undefined } = options;
  if (data !== undefined) {
    const { added, known, bad } = await loadFile(store, data, say);
    say(`${data}: ${added} quotes added, ${known} known already, ${bad} lines left out`);
  } else if (store.count === 0) {
    store.insert(quotes ?? embeddedCollection());
    store.index();
  }
}

function complain(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${printableLines(text)}\n`);
}
