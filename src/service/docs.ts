/** Serves the reference, the OpenAPI description and the pictures. None of them needs a credential. */
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { SERVICE_API } from "../client/service-api.ts";
import { errorBodySchema, envelopeSchema } from "../contract/body.ts";
import { wireQuoteSchema, wireTagSchema } from "../contract/quote.ts";
import { answer, failure } from "../http/answers.ts";
import type { FilterName } from "./filter.ts";
import { MEDIA } from "./quote.ts";

type Parameter = FilterName | "limit" | "offset" | "format";

const PARAMETERS: Readonly<Record<Parameter, readonly [type: string, meaning: string]>> = {
  tags: ["string", "Comma-separated names; a quote must have all of them."],
  curated: ["integer", "1 for human-curated quotes alone."],
  order: ["string", "-likes: most liked first. Else by pk."],
  lang: ["string", "Language code."],
  language: ["string", "The same as lang; where both are given, both must match."],
  author: ["string", "Any part of the name, in any case."],
  minlength: ["integer", "In code points, inclusive."],
  maxlength: ["integer", "In code points, inclusive."],
  limit: ["integer", "Items in a page; clamped."],
  offset: ["integer", "Items skipped."],
  format: ["string", "Kept in links; the answer is always JSON."],
};

const FAILURES = {
  400: "A parameter is missing, or its value is not allowed.",
  401: "The credential is missing or wrong.",
  404: "There is no such quote.",
  415: "The media type of the body is not supported.",
  429: "The quota is spent; Retry-After has the wait in seconds.",
} as const;

const TITLE = "Quotes service";
const INTRODUCTION =
  "A collection of quotes: filtered lists, a quote of the day, tags, votes and reports. " +
  "Every failure has the body {errno, errmsg}.";

/** @param count returns the current number of quotes */
export function mountPages(
  app: Hono,
  publicUrl: string,
  withToken: boolean,
  count: () => number,
): void {
  const security = withToken && { security: [{ Token: [] }], components: { securitySchemes } };
  const servers = [{ url: publicUrl }];
  const info = { title: TITLE, version: "1", description: INTRODUCTION };
  const description = JSON.stringify({ openapi: "3.1.0", info, servers, ...security, paths });
  const headers = { "Content-Security-Policy": PAGE_POLICY };
  for (const path of ["/", "/docs/"]) {
    app.get(path, (c) => c.html(renderReference(count()), 200, headers));
  }
  app.get("/docs", (c) => c.redirect("/docs/", 301));
  app.get("/openapi.json", () => answer(description));
  app.get(
    "/media/:name",
    async (c, next) => {
      await next();
      if (!c.res.ok) return;
      c.header("Cache-Control", "public, max-age=31536000, immutable");
      c.header("X-Content-Type-Options", "nosniff");
    },
    serveStatic({ root: MEDIA, rewriteRequestPath: (path) => path.slice("/media".length) }),
  );
  for (const path of ["/", "/docs/", "/openapi.json", "/media/:name"]) {
    app.on(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"], path, () =>
      failure(405, { Allow: "GET, HEAD" }),
    );
  }
}

const toJsonSchema = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: "input" });

const json = (description: string, schema: z.ZodType) => ({
  description,
  content: { "application/json": { schema: toJsonSchema(schema) } },
});

/** Describes an operation in OpenAPI 3.1, whose schemas are JSON Schema. */
function operation(
  summary: string,
  parameters: readonly Parameter[],
  done: { readonly description: string },
  failures: readonly (keyof typeof FAILURES)[],
  body?: object,
) {
  return {
    summary,
    parameters: parameters.map((name) => {
      const [type, description] = PARAMETERS[name];
      return { in: "query", name, description, schema: { type } };
    }),
    ...(body && { requestBody: body }),
    responses: {
      200: done,
      ...Object.fromEntries(failures.map((n) => [n, json(FAILURES[n], errorBodySchema)])),
    } as Readonly<Record<string, { readonly description: string }>>,
  };
}

const pkSchema = z.object({ pk: wireQuoteSchema.shape.pk });
const votedSchema = pkSchema.extend({ likes: wireQuoteSchema.shape.likes });
const tagsSchema = envelopeSchema(wireTagSchema).extend({ count: z.int() });

function post(summary: string, schema: z.ZodType) {
  const form = { schema: toJsonSchema(pkSchema) };
  const content = { "application/x-www-form-urlencoded": form, "application/json": form };
  const done = json("Done, and on disk.", schema);
  const body = { required: true, content };
  return { post: operation(summary, [], done, [400, 401, 404, 415, 429], body) };
}

const quotes = json("A page of quotes.", envelopeSchema(wireQuoteSchema));
const quoteOfDay = json("The same all day, UTC.", wireQuoteSchema);
const tags = json("A page of tags.", tagsSchema);

const { paths: at, votePath } = SERVICE_API;

/** The operations of each path, by method. */
const paths = {
  [at.quotes]: {
    get: operation("List quotes", Object.keys(PARAMETERS) as Parameter[], quotes, [400, 401, 429]),
  },
  [at.quoteOfTheDay]: {
    get: operation("Quote of the day", ["curated", "language"], quoteOfDay, [400, 401, 404, 429]),
  },
  [at.tags]: { get: operation("List tags", ["limit", "offset"], tags, [401, 429]) },
  [votePath("upvote")]: post("Vote a quote up", votedSchema),
  [votePath("downvote")]: post("Vote a quote down", votedSchema),
  [votePath("report")]: post("Report a quote: it is no longer shown", pkSchema),
};

const securitySchemes = {
  Token: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The word Token, a blank, and the credential.",
  },
};

/** The reference loads nothing and has no scripts and no forms. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const STYLE =
  "body{font:1.05rem/1.6 Georgia,serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fdfcf9}" +
  "a{color:#20507a}dt{float:left;clear:left;min-width:7rem}dd{margin:0 0 .3rem 8rem}h2{font-size:1.1rem;margin-top:2.5rem}" +
  "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}a{color:#8bbbe8}}";

/** Renders the reference, an HTML page with the operations of the OpenAPI description. */
function renderReference(quotes: number) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${TITLE}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>${TITLE}</h1>
        <p>${INTRODUCTION} It has ${quotes.toLocaleString("en")} quotes now.</p>
        ${operations.map(({ method, path, summary, parameters, responses }) => {
          const rows = [
            ...parameters.map(({ name, description }) => [name, description]),
            ...Object.entries(responses).map(([status, { description }]) => [status, description]),
          ];
          const address = method === "get" ? html`<a href="${path}">${path}</a>` : path;
          return html`<h2><code>${method.toUpperCase()} ${address}</code></h2>
            <p>${summary}</p>
            <dl>
              ${rows.map(
                ([term, text]) =>
                  html`<dt><code>${term}</code></dt>
                    <dd>${text}</dd>`,
              )}
            </dl>`;
        })}
        <p><a href="/openapi.json">OpenAPI description</a></p>
      </body>
    </html>`;
}
