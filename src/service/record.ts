/**
 * Makes quotes of the records of a file.
 *
 * Text is not cleaned: clients are tested with control characters and with authors at the end of a text. Only NUL and lone
 * surrogates are removed, since SQLite cannot store them.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { readSource } from "../contract/decode.ts";
import {
  EXPECTED_CODE,
  isKnownLanguage,
  isWrittenCode,
  UNDETERMINED,
} from "../contract/languages.ts";
import { MAX_PK } from "../contract/quote.ts";
import { printable } from "../util/text.ts";
import type { FileRecord } from "./data-file.ts";
import { deriveCurated, deriveImage, deriveLikes, type StoredQuote } from "./quote.ts";

const text = z.string("expected text").transform((raw) => raw.toWellFormed().replaceAll("\0", ""));

/** Far below 2^53, so that each vote changes the number. */
const MAX_LIKES = 1e12;

/** A whole number, also as text: a cell of CSV has no type. */
const integer = (min: number, max: number) =>
  z.preprocess(
    (raw) => (typeof raw === "string" && /^\s*[+-]?\d{1,16}\s*$/.test(raw) ? Number(raw) : raw),
    z
      .int("expected a whole number")
      .min(min, `expected at least ${min}`)
      .max(max, `expected at most ${max}`),
  );

const flag = z.union(
  [
    z.boolean(),
    z.literal([0, 1]),
    z.stringbool({ truthy: ["1", "true", "yes"], falsy: ["0", "false", "no"] }),
  ],
  "expected 1 or 0",
);

/** Splits a text of tags at `;` or `|`; without one, at commas. */
const tagText = text.transform((list) => list.split(/[;|]/.test(list) ? /[;|]/ : ","));

const recordSchema = z.object({
  pk: integer(1, MAX_PK).optional(),
  id: z.union([z.number(), text]).nullish(),
  quote: text.refine((quote) => quote.trim() !== "", "expected text"),
  author: text.nullish(),
  likes: integer(-MAX_LIKES, MAX_LIKES).nullish(),
  tags: z.union([z.array(text), tagText], "expected a list of tags").nullish(),
  image: text.nullish(),
  language: text.pipe(z.string().max(35, EXPECTED_CODE)).nullish(),
  curated: flag.nullish(),
});

type ReadRecord = z.output<typeof recordSchema>;

/** A quote, or why there is none. */
export type ReadQuote = { readonly quote: StoredQuote } | { readonly reason: string };

/** Makes a quote of a record; a second rule decides about what the record does not say. */
export function readQuote(
  { number, place, label, read }: FileRecord,
  complete: (record: ReadRecord, number: number) => StoredQuote | Fault,
): ReadQuote {
  if ("reason" in read) return { reason: `${place}: ${read.reason}` };
  const { fields } = read;
  const fault = (name: string, message: string, input: unknown): ReadQuote => {
    const got = input === undefined ? "nothing" : printable(JSON.stringify(input) ?? "", 60);
    return { reason: `${place}${label(name)}: ${message}, got ${got}` };
  };
  const parsed = recordSchema.safeParse(fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const [name = "record"] = issue?.path.map(String) ?? [];
    return fault(
      name,
      issue?.message ?? "not understood",
      (fields as Record<string, unknown>)[name],
    );
  }
  const made = complete(parsed.data, number);
  if ("expected" in made) return fault(made.field, made.expected, made.got);
  const source = readSource(fields, made.author);
  return { quote: source === null ? made : { ...made, source } };
}

/** A field that is not as it must be. */
interface Fault {
  readonly field: "image" | "language";
  readonly expected: string;
  readonly got: string;
}

const namesOf = (tags: readonly string[] | null | undefined): string[] => [
  ...new Set((tags ?? []).map((name) => name.trim()).filter((name) => name !== "")),
];

/** A quote of an example service: what is missing is made up from the text, and the number of the line is the key. */
export function exampleQuote(record: ReadRecord, number: number): StoredQuote {
  const { pk = number, quote, author, likes, tags, image, language, curated } = record;
  return {
    pk,
    quote,
    author: author ?? null,
    likes: likes ?? deriveLikes(quote),
    tags: namesOf(tags),
    image: image === undefined ? deriveImage(quote) : image,
    language: language ?? UNDETERMINED,
    curated: Boolean(curated ?? deriveCurated(quote)),
  };
}

/**
 * A quote of an operator's own file. Nothing is made up: without likes it has none, without a language it has that of the file.
 *
 * @param language of quotes that name none; null for none
 */
export function ownQuote(record: ReadRecord, language: string | null): StoredQuote | Fault {
  const { quote, author = null, likes, tags, image, curated } = record;
  const given = record.language?.trim() ?? "";
  if (given !== "" && !isWrittenCode(given)) {
    return { field: "language", expected: EXPECTED_CODE, got: given };
  }
  const address = image?.trim() ?? "";
  if (address !== "" && !/^https?:\/\/\S+$/i.test(address)) {
    return { field: "image", expected: "expected an http or https address", got: address };
  }
  const code = [given.toLowerCase()].find(isKnownLanguage) ?? given;
  return {
    pk: keyOf(record),
    quote,
    author,
    likes: likes ?? 0,
    tags: namesOf(tags),
    image: address === "" ? null : address,
    language: code === "" ? (language ?? UNDETERMINED) : code,
    curated: Boolean(curated ?? false),
  };
}

/**
 * The key of a quote: its `pk`, else its `id`, else one of its text and author. The place in the file is no part of it, so
 * that a line can be deleted without a new address for those after it.
 */
function keyOf({ pk, id, quote, author }: ReadRecord): number {
  if (pk !== undefined) return pk;
  const isKey = typeof id === "number" || /^\d{1,15}$/.test(id ?? "");
  if (isKey && Number.isSafeInteger(Number(id)) && Number(id) > 0) return Number(id);
  const name = id === undefined || id === null || id === "" ? [quote, author ?? ""] : [String(id)];
  return hashKey(name.map((part) => part.normalize("NFC").replace(/\s+/g, " ").trim()));
}

/** 52 bits of SHA-256 and never 0: of a million texts, two have one key with a chance of 1 in 9,000. */
function hashKey(parts: readonly string[]): number {
  const digest = hash("sha256", JSON.stringify(parts));
  return Number.parseInt(digest.slice(0, 13), 16) || 1;
}
