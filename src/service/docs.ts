/** Front page, reference, OpenAPI description and pictures of the service. They need no credential. */
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { errorBodySchema, envelopeSchema } from "../contract/body.ts";
import { wireQuoteSchema, wireTagSchema } from "../contract/quote.ts";
import { answer, failure } from "./request.ts";
import type { filterSchema } from "./filter.ts";
import { MEDIA } from "./quote.ts";

type Parameter = keyof typeof filterSchema.shape | "limit" | "offset" | "format";

const PARAMETERS: Readonly<Record<Parameter, readonly [type: string, meaning: string]>> = {
  tags: ["string", "Comma-separated names; a quote must carry all."],
  curated: ["integer", "1 for human-curated quotes alone."],
  order: ["string", "-likes: most liked first. Else by pk."],
  lang: ["string", "Language code."],
  language: ["string", "The same as lang; given both, both must fit."],
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

interface Operation {
  readonly method: "get" | "post";
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly done: string;
  readonly answer: z.ZodType;
  readonly failures: readonly (keyof typeof FAILURES)[];
}

const pkSchema = z.object({ pk: wireQuoteSchema.shape.pk });
const votedSchema = pkSchema.extend({ likes: wireQuoteSchema.shape.likes });

const post = (path: string, summary: string, answer: z.ZodType): Operation => ({
  method: "post",
  path,
  summary,
  parameters: [],
  done: "Done, and on disk.",
  answer,
  failures: [400, 401, 404, 415, 429],
});

const OPERATIONS: readonly Operation[] = [
  {
    method: "get",
    path: "/apiv1/quotes/",
    summary: "List quotes",
    parameters: Object.keys(PARAMETERS) as Parameter[],
    done: "A page of quotes.",
    answer: envelopeSchema(wireQuoteSchema),
    failures: [400, 401, 429],
  },
  {
    method: "get",
    path: "/apiv1/qod/",
    summary: "Quote of the day",
    parameters: ["curated", "language"],
    done: "The same all day, UTC.",
    answer: wireQuoteSchema,
    failures: [400, 401, 404, 429],
  },
  {
    method: "get",
    path: "/apiv1/tags/",
    summary: "List tags",
    parameters: ["limit", "offset"],
    done: "A page of tags.",
    answer: envelopeSchema(wireTagSchema).extend({ count: z.int() }),
    failures: [401, 429],
  },
  post("/apiv1/upvote/", "Vote a quote up", votedSchema),
  post("/apiv1/downvote/", "Vote a quote down", votedSchema),
  post("/apiv1/report/", "Report a quote: it is no longer shown", pkSchema),
];

const TITLE = "Quotes service";
const INTRODUCTION =
  "A collection of quotes: filtered lists, a quote of the day, tags, votes and reports. " +
  "Every failure has the body {errno, errmsg}.";

export interface DocsOptions {
  readonly publicUrl: string;
  readonly withToken: boolean;
  /** Number of quotes now. */
  readonly count: () => number;
}

export function mountPages(app: Hono, options: DocsOptions): void {
  const description = JSON.stringify(describeApi(options));
  const reference = renderReference();
  const headers = { "Content-Security-Policy": PAGE_POLICY };
  app.get("/", (c) => c.html(renderFrontPage(options.count()), 200, headers));
  app.get("/docs/", (c) => c.html(reference, 200, headers));
  app.get("/docs", (c) => c.redirect("/docs/", 301));
  app.get("/openapi.json", () => answer(description));
  app.get(
    "/media/:name",
    serveStatic({
      root: MEDIA,
      rewriteRequestPath: (path) => path.slice("/media".length),
      onFound: (_, c) => {
        c.header("Cache-Control", "public, max-age=31536000, immutable");
        c.header("X-Content-Type-Options", "nosniff");
      },
    }),
  );
  for (const path of ["/", "/docs/", "/openapi.json", "/media/:name"]) {
    app.on(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"], path, () =>
      failure(405, { Allow: "GET, HEAD" }),
    );
  }
}

const toJsonSchema = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: "input" });

/** Describes the API as OpenAPI 3.1, whose schemas are JSON Schema. */
function describeApi({ publicUrl, withToken }: DocsOptions): object {
  const json = (description: string, schema: z.ZodType) => ({
    description,
    content: { "application/json": { schema: toJsonSchema(schema) } },
  });
  const body = { schema: toJsonSchema(pkSchema) };
  const content = { "application/x-www-form-urlencoded": body, "application/json": body };
  const paths = OPERATIONS.map(({ method, path, summary, parameters, done, failures, answer }) => {
    const operation = {
      summary,
      parameters: parameters.map((name) => {
        const [type, description] = PARAMETERS[name];
        return { in: "query", name, description, schema: { type } };
      }),
      ...(method === "post" && { requestBody: { required: true, content } }),
      responses: {
        200: json(done, answer),
        ...Object.fromEntries(failures.map((n) => [n, json(FAILURES[n], errorBodySchema)])),
      },
    };
    return [path, { [method]: operation }];
  });
  const description = "The word Token, a blank, and the credential.";
  const Token = { type: "apiKey", in: "header", name: "Authorization", description };
  return {
    openapi: "3.1.0",
    info: { title: TITLE, version: "1", description: INTRODUCTION },
    servers: [{ url: publicUrl }],
    ...(withToken && { security: [{ Token: [] }], components: { securitySchemes: { Token } } }),
    paths: Object.fromEntries(paths) as object,
  };
}

/** These pages fetch, run and send nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

type Html = ReturnType<typeof html>;

function renderFrontPage(quotes: number): Html {
  return renderPage(
    html`<p>${quotes.toLocaleString("en")} quotes, over HTTP, as JSON.</p>
      <ul>
        <li><a href="/apiv1/quotes/">/apiv1/quotes/</a></li>
        <li><a href="/apiv1/qod/">/apiv1/qod/</a></li>
        <li><a href="/apiv1/tags/">/apiv1/tags/</a></li>
        <li><a href="/docs/">Reference</a>, also as <a href="/openapi.json">OpenAPI</a></li>
      </ul>`,
  );
}

/** Describes the API for people. */
function renderReference(): Html {
  return renderPage(
    html`<p>${INTRODUCTION}</p>
      ${OPERATIONS.map(({ method, path, summary, parameters, done, failures }) => {
        const rows = [
          ...parameters.map((name) => [name, PARAMETERS[name][1]]),
          ["200", done],
          ...failures.map((status) => [String(status), FAILURES[status]]),
        ];
        return html`<h2><code>${method.toUpperCase()} ${path}</code></h2>
          <p>${summary}</p>
          <dl>
            ${rows.map(
              ([term, text]) =>
                html`<dt><code>${term}</code></dt>
                  <dd>${text}</dd>`,
            )}
          </dl>`;
      })}
      <p><a href="/openapi.json">OpenAPI description</a></p>`,
  );
}

const STYLE =
  "body{font:1.05rem/1.6 Georgia,serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fdfcf9}" +
  "a{color:#20507a}dt{float:left;clear:left;min-width:7rem}dd{margin:0 0 .3rem 8rem}h2{font-size:1.1rem;margin-top:2.5rem}" +
  "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}a{color:#8bbbe8}}";

function renderPage(body: Html): Html {
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
        ${body}
      </body>
    </html>`;
}
