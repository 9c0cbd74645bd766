/**
 * The boundary: unchecked in, trusted out. Reads one record or one page of whatever a service of this kind sends.
 *
 * A record that cannot be read is quarantined with its reason and the rest of the page kept; the caller decides how
 * many are too many.
 */
import { z } from "zod";
import { isLanguageCode, UNDETERMINED } from "./languages.ts";
import { MAX_PK, type Quote } from "./quote.ts";
import type { Tag } from "./tag.ts";
import { cleanName, cleanText, cutAuthor, isCleanName } from "./text.ts";

/** What a record may look like: everything seen in the wild, and nothing that would have to be guessed. */
const looseQuoteSchema = z.object({
  pk: z.int().min(1).max(MAX_PK),
  quote: z.string(),
  author: z.string().nullish(),
  likes: z.int().nullish(),
  tags: z.union([z.array(z.string()), z.string()]).nullish(),
  image: z.unknown().optional(),
  language: z.string().nullish(),
});

const looseTagSchema = z.object({ name: z.string(), slug: z.string().nullish() });

/** A value, or why there is none. */
export type Decoded<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** An address longer than this is no picture of ours (and no browser would take it). */
const MAX_IMAGE_LENGTH = 2_048;

/** As many tags as a quote has (wild.md), and some more. */
const FEW_TAGS = 32;

type LooseQuote = z.infer<typeof looseQuoteSchema>;

/** Reads one quote. */
export function decodeQuote(raw: unknown): Decoded<Quote> {
  if (isRegular(raw)) return quoteFrom(raw);
  const parsed = looseQuoteSchema.safeParse(raw);
  return parsed.success
    ? quoteFrom(parsed.data)
    : { ok: false, reason: firstIssue(parsed.error, raw) };
}

/** What nearly every record is: the schema would let it through, and takes longer to say so. */
function isRegular(raw: unknown): raw is LooseQuote {
  if (typeof raw !== "object" || raw === null) return false;
  const { pk, quote, author, likes, tags, language } = raw as Readonly<Record<string, unknown>>;
  return (
    Number.isSafeInteger(pk) &&
    (pk as number) >= 1 &&
    typeof quote === "string" &&
    (typeof author === "string" || author === null) &&
    Number.isSafeInteger(likes) &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === "string") &&
    typeof language === "string"
  );
}

function quoteFrom(record: LooseQuote): Decoded<Quote> {
  const author = cleanName(record.author ?? "") || null;
  const cleaned = cleanText(record.quote);
  const text = author === null ? cleaned : cutAuthor(cleaned, author);
  if (text === "")
    return { ok: false, reason: `Cannot read quote ${record.pk}: its text is empty` };
  const servedAuthor = record.author ?? null;
  const asServed = text === record.quote && author === servedAuthor;
  return {
    ok: true,
    value: {
      id: record.pk,
      text,
      author,
      likes: record.likes ?? 0,
      tags: readTags(record.tags ?? []),
      image: readImage(record.image),
      language: readLanguage(record.language ?? ""),
      served: asServed
        ? null
        : { quote: record.quote.toWellFormed(), author: servedAuthor?.toWellFormed() ?? null },
    },
  };
}

/** Reads one tag of the tag list. */
export function decodeTag(raw: unknown): Decoded<Tag> {
  const parsed = looseTagSchema.safeParse(raw);
  if (!parsed.success) return { ok: false, reason: firstIssue(parsed.error, raw) };
  const name = cleanName(parsed.data.name);
  if (name === "") return { ok: false, reason: "Cannot read tag: its name is empty" };
  return { ok: true, value: { name, slug: cleanName(parsed.data.slug ?? "") } };
}

/** Tags are an array by the sample and comma-separated by the reference (contract, section 2): both arrive. */
function readTags(raw: string | readonly string[]): readonly string[] {
  const names = typeof raw === "string" ? raw.split(",") : raw;
  // Many names would take long to compare one by one.
  const few = names.length <= FEW_TAGS;
  if (few && names.every((name, place) => isCleanName(name) && names.indexOf(name) === place)) {
    return names;
  }
  return [...new Set(names.map(cleanName).filter((name) => name !== ""))];
}

function readImage(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  const address = cleanText(raw);
  return address === "" || address.length > MAX_IMAGE_LENGTH ? null : address;
}

function readLanguage(raw: string): string {
  const code = raw.trim();
  return isLanguageCode(code) ? code : UNDETERMINED;
}

/** `Cannot read pk: expected an integer …, got null`, with the value cut short: it is upstream text. */
function firstIssue(error: z.ZodError, raw: unknown): string {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? "record");
  const value = issue?.path.reduce<unknown>((at, key) => property(at, key), raw);
  return `Cannot read ${field}: expected ${EXPECTED[field] ?? "a record"}, got ${brief(value)}`;
}

const EXPECTED: Readonly<Record<string, string>> = {
  pk: `an integer from 1 to ${MAX_PK}`,
  quote: "text",
  author: "text or null",
  likes: "an integer",
  tags: "a list of text",
  language: "text",
  name: "text",
  slug: "text",
};

function property(at: unknown, key: PropertyKey): unknown {
  return typeof at === "object" && at !== null
    ? (at as Record<PropertyKey, unknown>)[key]
    : undefined;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return cleanName(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
