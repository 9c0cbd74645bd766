/**
 * Schemas of the static JSON API, from which its JSON Schema is made too.
 *
 * Fields have the service's names (`pk`, `quote`, …), so that a program can read both.
 */
import { z } from "zod";

const pk = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const path = z.string().regex(/^\//).describe("Below the site's base path.");

const apiQuote = z.strictObject({
  pk,
  quote: z.string().min(1),
  author: z.string().nullable().describe("Null where the author is unknown."),
  likes: z.int().describe("From 100 on cut to two significant figures."),
  tags: z.array(z.string()),
  language: z.string().describe("The service's code; `be` is Bengali."),
  lang: z.string().describe("BCP 47."),
  dir: z.enum(["ltr", "rtl"]),
  path,
  url: z.url(),
  corrected: z.literal(true).optional().describe("Where this site corrects what the service has."),
  source: z
    .strictObject({ work: z.string(), year: z.string().nullable() })
    .optional()
    .describe("Where the quote stands in print; absent where that is unknown."),
});

const head = {
  attribution: z
    .strictObject({ text: z.string(), url: z.url() })
    .nullable()
    .describe("To be shown with the quotes; null where the service does not ask for it."),
  schema: z.url(),
};

const term = z.strictObject({
  name: z.string(),
  slug: z.string(),
  quotes: z.int().min(0),
  path,
  json: path.nullable().describe("Of the file with its first page; null where there is none."),
});

export const API_FILES = {
  index: z.strictObject({
    ...head,
    title: z.string(),
    quotes: z.int().min(0),
    dataAsOf: z.string().nullable(),
    randomFiles: z.int().min(0),
    placeFiles: z.int().min(1),
    files: z.record(z.string(), path),
  }),
  today: z.strictObject({ ...head, date: z.iso.date(), quotes: z.array(apiQuote) }),
  random: z.strictObject({ ...head, quotes: z.array(apiQuote) }),
  terms: z.strictObject({ ...head, terms: z.array(term) }),
  listing: z.strictObject({
    ...head,
    kind: z.enum(["tag", "author", "language"]),
    name: z.string().nullable(),
    slug: z.string(),
    total: z.int().min(0),
    pages: z.int().min(1),
    quotes: z.array(apiQuote),
  }),
  where: z.strictObject({
    schema: z.url(),
    where: z
      .record(z.string().regex(/^\d+$/), path)
      .describe(
        "By pk: the page of its author's listing that shows a quote, or the quote in whose place a copy is left out.",
      ),
  }),
} as const;

export type ApiQuote = z.infer<typeof apiQuote>;

/** A JSON Schema with a definition for each kind of file. */
export function apiJsonSchema(id: string): object {
  const definitions = Object.entries(API_FILES).map(([name, schema]) => {
    return [name, z.toJSONSchema(schema, { target: "draft-2020-12" })] as const;
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    $defs: Object.fromEntries(definitions) as object,
  };
}
