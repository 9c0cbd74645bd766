/** Assembles the hono app: access control, the endpoints of the contract, and pages for people. */
import { Hono } from "hono";
import { DiskError } from "../contract/errors.ts";
import type { Rate } from "../contract/rate.ts";
import { allowHosts, allowOrigin, limitRequests, requireToken } from "./access.ts";
import { failure } from "./answers.ts";
import { mountPages } from "./docs.ts";
import { mountEndpoints, type Collection } from "./endpoints.ts";

export interface AppOptions extends Collection {
  readonly quota: Rate | null;
  readonly token: string | null;
  /** Host names besides this machine's own under which requests are answered. */
  readonly allowedHosts: readonly string[];
  /** The origin whose pages may read the answers. */
  readonly cors: string | null;
  /** Called before each request below `/apiv1/`; the answer waits for it. */
  readonly onRequest?: ((request: Request) => void | Promise<void>) | undefined;
  /** Called with errors that neither the client nor the disk caused. */
  readonly onBug: (error: unknown) => void;
}

export function createApp(options: AppOptions): Hono {
  const { store, quota, token, cors, onRequest } = options;
  const app = new Hono();
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
  mountEndpoints(app, options);
  mountPages(app, {
    publicUrl: options.publicUrl,
    withToken: token !== null,
    count: () => store.count,
  });
  app.notFound(() => failure(404));
  app.onError((error, c) => {
    // The client closed the connection within the body: not a bug.
    if (c.req.raw.signal.aborted) return failure(400);
    options.onBug(error);
    return failure(error instanceof DiskError ? 503 : 500);
  });
  return app;
}
