/** The service described as OpenAPI, made from the schemas that its answers and filters are checked with. */
import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { errorBodySchema } from "../../contract/error-body.ts";
import { envelopeSchema } from "../../contract/page.ts";
import { wireQuoteSchema } from "../../contract/quote.ts";
import { wireTagSchema } from "../../contract/tag.ts";
import { filterSchema } from "../api/filter.ts";

const windowSchema = z.object({
  limit: z
    .string()
    .optional()
    .openapi({ type: "integer", description: "Items in a page; clamped." }),
  offset: z.string().optional().openapi({ type: "integer", description: "Items skipped." }),
});

const listSchema = filterSchema
  .partial()
  .extend(windowSchema.shape)
  .extend({
    format: z.string().optional().openapi({ description: "Travels along; always JSON." }),
  });

const pkSchema = z.object({ pk: wireQuoteSchema.shape.pk });

const json = (schema: z.ZodType, description: string) => ({
  description,
  content: { "application/json": { schema } },
});

const failures = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, json(errorBodySchema, FAILURES[status] ?? "Failed.")]),
  );

const FAILURES: Readonly<Record<number, string>> = {
  400: "A parameter is missing or no value that it takes.",
  401: "The credential is missing or wrong.",
  404: "There is no such quote.",
  415: "The body is of a type that is not read.",
  429: "The quota is spent; Retry-After says for how long, in seconds.",
};

const post = (path: string, summary: string, done: z.ZodType) =>
  createRoute({
    method: "post",
    path,
    summary,
    request: {
      body: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": { schema: pkSchema },
          "application/json": { schema: pkSchema },
        },
      },
    },
    responses: { 200: json(done, "Done, and on disk."), ...failures(400, 401, 404, 415, 429) },
  });

const voted = pkSchema.extend({ likes: wireQuoteSchema.shape.likes });

const ROUTES = [
  createRoute({
    method: "get",
    path: "/apiv1/quotes/",
    summary: "List quotes",
    request: { query: listSchema },
    responses: {
      200: json(envelopeSchema(wireQuoteSchema), "A page of quotes."),
      ...failures(400, 401, 429),
    },
  }),
  createRoute({
    method: "get",
    path: "/apiv1/qod/",
    summary: "Quote of the day",
    request: { query: listSchema.pick({ curated: true, language: true }) },
    responses: {
      200: json(wireQuoteSchema, "The same all day, UTC."),
      ...failures(400, 401, 404, 429),
    },
  }),
  createRoute({
    method: "get",
    path: "/apiv1/tags/",
    summary: "List tags",
    request: { query: windowSchema },
    responses: {
      200: json(envelopeSchema(wireTagSchema).extend({ count: z.int() }), "A page of tags."),
      ...failures(401, 429),
    },
  }),
  post("/apiv1/upvote/", "Vote a quote up", voted),
  post("/apiv1/downvote/", "Vote a quote down", voted),
  post("/apiv1/report/", "Report a quote: it is shown no more", pkSchema),
];

/** The document as JSON text. */
export function describeService(app: OpenAPIHono, publicUrl: string, withToken: boolean): string {
  for (const route of ROUTES) app.openAPIRegistry.registerPath(route);
  if (withToken) {
    app.openAPIRegistry.registerComponent("securitySchemes", "Token", {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: "The word Token, a blank, and the credential.",
    });
  }
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Quotes service", version: "1", description: INTRODUCTION },
    servers: [{ url: publicUrl }],
    ...(withToken ? { security: [{ Token: [] }] } : {}),
  });
  return JSON.stringify(document);
}

const INTRODUCTION =
  "A collection of quotes: filtered lists, a quote of the day, tags, votes and reports. " +
  "Every failure has the body {errno, errmsg}.";
