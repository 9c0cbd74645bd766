/** The service as one function from request to answer: who may ask, the endpoints of the contract, pages for people. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { DiskError } from "../contract/errors.ts";
import { listQuotes, listTags } from "./api/lists.ts";
import { quoteOfDay, report, vote } from "./api/single.ts";
import { mountPages } from "./docs/mount.ts";
import { allowHosts, allowOrigin, limitRequests, requireToken, type Quota } from "./http/access.ts";
import { failure } from "./http/answers.ts";
import { mount, type Endpoint } from "./http/endpoint.ts";
import type { Paging } from "./http/parameters.ts";
import type { Store } from "./store/store.ts";

export interface AppOptions {
  readonly store: Store;
  readonly paging: Paging;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  readonly quota: Quota | null;
  readonly token: string | null;
  /** Host names besides this machine's own under which requests are answered. */
  readonly allowedHosts: readonly string[];
  /** The origin whose pages may read the answers. */
  readonly cors: string | null;
  /** Called before each request to the contract's addresses is answered; the answer waits for it. */
  readonly onRequest?: (request: Request) => void | Promise<void>;
  /** Called with failures that no client and no disk has caused. */
  readonly onBug: (error: unknown) => void;
}

export function createApp(options: AppOptions): OpenAPIHono {
  const { store, quota, token, cors, onRequest } = options;
  const app = new OpenAPIHono();
  app.use(allowHosts(options.allowedHosts));
  const guard = "/apiv1/*";
  if (onRequest !== undefined) {
    app.use(guard, async (c, next) => {
      await onRequest(c.req.raw);
      await next();
    });
  }
  if (cors !== null) app.use(guard, allowOrigin(cors, token !== null));
  if (token !== null) app.use(guard, requireToken(token));
  if (quota !== null) app.use(guard, limitRequests(quota));
  for (const endpoint of endpoints(options)) mount(app, endpoint);
  mountPages(app, {
    publicUrl: options.publicUrl,
    withToken: token !== null,
    count: () => store.count,
  });
  app.notFound(() => failure(404));
  app.onError((error, c) => {
    // The client hung up in the middle of a body: that is no bug, and there is no one to answer.
    if (c.req.raw.signal.aborted) return failure(400);
    options.onBug(error);
    return failure(error instanceof DiskError ? 503 : 500);
  });
  return app;
}

function endpoints({ store, paging, publicUrl }: AppOptions): Endpoint[] {
  const list = { store, paging, publicUrl };
  return [
    {
      path: "/apiv1/quotes/",
      name: "List quotes",
      method: "GET",
      handle: listQuotes(list),
      // The reference shows the parameters straight after the path, too.
      alias: "/apiv1/quotes/:pairs{[^/=]*=[^/]*/?}",
    },
    {
      path: "/apiv1/qod/",
      name: "Quote of the day",
      method: "GET",
      handle: quoteOfDay(store, publicUrl),
    },
    { path: "/apiv1/tags/", name: "List tags", method: "GET", handle: listTags(list) },
    { path: "/apiv1/upvote/", name: "Upvote", method: "POST", handle: vote(store, 1) },
    { path: "/apiv1/downvote/", name: "Downvote", method: "POST", handle: vote(store, -1) },
    { path: "/apiv1/report/", name: "Report", method: "POST", handle: report(store) },
  ];
}
