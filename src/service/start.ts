/**
 * Starts the embedded service: the contract as running code, for `npm run serve`, for builds without an account, and for
 * tests, which change the collection through `store` while a client reads it.
 */
import { SERVICE_API } from "../client/service-api.ts";
import { Hono } from "hono";
import { counted, printableLines } from "../util/text.ts";
import { embeddedCollection } from "./collection.ts";
import { HTTP_LIMITS, listen, type HttpLimits } from "../http/server.ts";
import { loadFile, type Loaded, type OwnFile } from "./load.ts";
import type { StoredQuote } from "./quote.ts";
import { Store } from "./store.ts";
import { DiskError, UsageError } from "../contract/errors.ts";
import type { Rate } from "../util/rate-limit.ts";
import { allowHosts, allowOrigin, limitRequests, requireToken } from "../http/access.ts";
import { failure } from "../http/answers.ts";
import { mountPages } from "./docs.ts";
import { mountEndpoints, type Collection } from "./endpoints.ts";

export interface ServiceOptions {
  readonly quota?: Rate | undefined;
  readonly token?: string | null | undefined;
  /** Host names that requests may name, besides loopback names and the service's own. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origin whose pages may read the answers. */
  readonly cors?: string | undefined;
  /** Called with unexpected errors; by default they go to stderr. */
  readonly onBug?: ((error: unknown) => void) | undefined;
  /** Default: a free port. */
  readonly port?: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Base of `next` and of the addresses of pictures; default: the address that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** File of quotes to load. Without it an empty database gets `quotes`. */
  readonly data?: string | undefined;
  /** Given where `data` is an operator's own file, of which nothing is made up. */
  readonly own?: OwnFile;
  /** Default: the embedded collection. */
  readonly quotes?: readonly StoredQuote[];
  /** Path of the database; default: in memory. */
  readonly db?: string | undefined;
  readonly pageSize?: number | undefined;
  /** Default: 100, or `pageSize` if that is larger. */
  readonly maxLimit?: number | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called with messages about what was loaded. */
  readonly log?: ((line: string) => void) | undefined;
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

/** The defaults of real services, and of the tutorial of Django REST Framework. */
const PAGE_SIZE = 5;
const MAX_LIMIT = 100;

const CLOSE_GRACE_MS = 2_000;

/**
 * Resolves once the service answers requests.
 *
 * @throws {ConfigurationError} when the port cannot be used
 * @throws {UsageError} when the data file is missing or invalid
 * @throws {DiskError} when the database cannot be used
 */
export async function startService(options: ServiceOptions = {}) {
  // SQLite would read it as an address with options, such as one of a database in memory.
  if (/^(?:file:|:memory:$|$)/i.test(options.db ?? "-")) {
    throw new UsageError(`Cannot use --db ${options.db}: expected the path of a file`);
  }
  const store = new Store(options.db ?? ":memory:", options.now);
  try {
    const { data, quotes, own, log = () => undefined } = options;
    let loaded: Loaded | null = null;
    if (data !== undefined) {
      loaded = await loadFile(store, data, log, own);
      const { added, known, bad } = loaded;
      log(
        `${data}: ${counted(added, "quote")} added, ${known} known already, ${counted(bad, "record")} left out`,
      );
    } else if (store.count === 0) {
      store.insert(quotes ?? embeddedCollection());
      store.index();
    }
    const host = options.host ?? "127.0.0.1";
    const limits = { ...HTTP_LIMITS, ...options.limits };
    const listening = await listen(host, options.port ?? 0, limits);
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`;
    const publicUrl = (options.publicUrl ?? url).replace(/\/+$/, "");
    const named = [url, publicUrl].map((address) => new URL(address).hostname);
    const pageSize = options.pageSize ?? PAGE_SIZE;
    const paging = { pageSize, maxLimit: options.maxLimit ?? Math.max(MAX_LIMIT, pageSize) };
    const allowedHosts = [...named, ...(options.allowedHosts ?? [])];
    const app = createApp({ store, paging, publicUrl }, { ...options, allowedHosts });
    listening.serve((request, env) => app.fetch(request, env));
    return {
      /** Address of the server, such as `http://127.0.0.1:8080`. */
      url,
      store,
      /** What the data file had; null without one. */
      loaded,
      /** Answers the requests in flight, then closes the port and the database. */
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

function createApp(collection: Collection, options: ServiceOptions): Hono {
  const { allowedHosts = [], quota, token = null, cors, onBug } = options;
  const { store, publicUrl } = collection;
  const app = new Hono();
  app.use(allowHosts(allowedHosts));
  const guard = `${SERVICE_API.root}/*`;
  if (cors !== undefined) app.use(guard, allowOrigin(cors, token !== null));
  if (token !== null) app.use(guard, requireToken(token));
  if (quota !== undefined) app.use(guard, limitRequests(quota));
  mountEndpoints(app, collection);
  mountPages(app, publicUrl, token !== null, () => store.count);
  app.notFound(() => failure(404));
  app.onError((error, c) => {
    // The client closed the connection while it sent the body.
    if (c.req.raw.signal.aborted) return failure(400);
    if (onBug) onBug(error);
    else process.stderr.write(`${printableLines(error.stack ?? error.message)}\n`);
    return failure(error instanceof DiskError ? 503 : 500);
  });
  return app;
}
