/** What the service shows to people: front page, description, pictures. None of it needs a credential or counts. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { answer, failure } from "../http/answers.ts";
import type { Handler } from "../http/endpoint.ts";
import { tileNamed } from "../media/tiles.ts";
import { describeService } from "./description.ts";
import { frontPage, PAGE_POLICY, plainReference } from "./pages.ts";

interface Shown {
  readonly publicUrl: string;
  readonly withToken: boolean;
  /** How many quotes there are now. */
  readonly count: () => number;
}

type Page = ReturnType<typeof frontPage>;

export function mountPages(app: OpenAPIHono, { publicUrl, withToken, count }: Shown): void {
  const description = describeService(app, publicUrl, withToken);
  const show = (c: Parameters<Handler>[0], page: Page): ReturnType<Handler> =>
    c.html(page, 200, { "Content-Security-Policy": PAGE_POLICY });
  const pages: Readonly<Record<string, Handler>> = {
    "/": (c) => show(c, frontPage(count())),
    "/openapi.json": () => answer(description),
    "/docs/": (c) => show(c, plainReference(description)),
    "/media/:name": (c) => picture(c.req.param("name") ?? ""),
  };
  for (const [path, handle] of Object.entries(pages)) {
    app.get(path, handle);
    app.all(path, () => failure(405, { Allow: "GET, HEAD" }));
  }
  app.get("/docs", (c) => c.redirect("/docs/", 301));
}

async function picture(name: string): Promise<Response> {
  const tile = await tileNamed(name);
  if (tile === null) return failure(404);
  const headers = {
    "Content-Type": tile.type,
    "Content-Length": String(tile.bytes.length),
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
  };
  return new Response(tile.bytes, { headers });
}
