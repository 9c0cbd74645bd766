/**
 * Decodes records that a service sends: unknown JSON in, trusted types out.
 *
 * A record that cannot be read is quarantined with a reason; the caller decides how many are too many. The same holds for a
 * record over a limit of text, size or depth, which could fill a disk, a page or a call stack. An author or a tag over its
 * limit is left out.
 */
import { z } from "zod";
import { isLanguageCode, UNDETERMINED } from "./languages.ts";
import { MAX_PK, type Quote, type Tag } from "./quote.ts";
import { plainLine, cleanText, printable } from "../util/text.ts";
import { cutAuthor } from "./cut-author.ts";

const PK = `an integer from 1 to ${MAX_PK}`;

/**
 * Accepts every form of a record that services are known to send, but none that needs a guess. Each message names the
 * expected type.
 */
const looseQuoteSchema = z.object(
  {
    pk: z.int(PK).min(1, PK).max(MAX_PK, PK),
    quote: z.string("text"),
    author: z.string("text or null").nullish(),
    likes: z.int("an integer").nullish(),
    tags: z.union([z.array(z.string()), z.string()], "a list of text").nullish(),
    image: z.unknown().optional(),
    language: z.string("text").nullish(),
  },
  "a record",
);

const looseTagSchema = z.object(
  { name: z.string("text"), slug: z.string("text").nullish() },
  "a record",
);

/** A decoded value, or the reason why there is none. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T; readonly dropped?: Dropped }
  | { readonly ok: false; readonly reason: string };

/** Number of parts of a record that are left out because of a limit. */
export interface Dropped {
  /** 1 when the author was too long. */
  readonly authors: number;
  readonly tags: number;
}

/** A longer address of a picture is ignored: no browser would load it. */
const MAX_IMAGE_LENGTH = 2_048;

export function decodeQuote(raw: unknown): Decoded<Quote> {
  const excess = findExcess(raw);
  if (excess !== null) return { ok: false, reason: `Cannot read record: ${excess}` };
  const parsed = looseQuoteSchema.safeParse(raw, { reportInput: true });
  return parsed.success ? toQuote(parsed.data) : { ok: false, reason: describeIssue(parsed.error) };
}

function toQuote(record: z.infer<typeof looseQuoteSchema>): Decoded<Quote> {
  const name = plainLine(record.author ?? "") || null;
  const isTooLong = name !== null && hasMoreCodePoints(name, MAX_AUTHOR);
  const author = isTooLong ? null : name;
  const cleaned = cleanText(record.quote);
  const text = author === null ? cleaned : cutAuthor(cleaned, author);
  const fault = findFault(text);
  if (fault !== null) return { ok: false, reason: `Cannot read quote ${record.pk}: ${fault}` };
  const { tags, dropped } = readTags(record.tags ?? []);
  const servedAuthor = isTooLong ? null : (record.author ?? null);
  const code = (record.language ?? "").trim();
  const asServed = text === record.quote && author === servedAuthor;
  const value: Quote = {
    id: record.pk,
    text,
    author,
    likes: record.likes ?? 0,
    tags,
    image: readImage(record.image),
    language: isLanguageCode(code) ? code : UNDETERMINED,
    served: asServed
      ? null
      : { quote: record.quote.toWellFormed(), author: servedAuthor?.toWellFormed() ?? null },
  };
  return isTooLong || dropped > 0
    ? { ok: true, value, dropped: { authors: Number(isTooLong), tags: dropped } }
    : { ok: true, value };
}

/** Why a text cannot be a quote; null when it can. */
function findFault(text: string): string | null {
  if (text === "") return "its text is empty";
  if (hasMoreCodePoints(text, MAX_TEXT)) return `its text has more than ${MAX_TEXT} characters`;
  if (text.split("\n", MAX_TEXT_LINES + 1).length > MAX_TEXT_LINES)
    return `its text has more than ${MAX_TEXT_LINES} lines`;
  return null;
}

export function decodeTag(raw: unknown): Decoded<Tag> {
  const excess = findExcess(raw);
  if (excess !== null) return { ok: false, reason: `Cannot read tag: ${excess}` };
  const parsed = looseTagSchema.safeParse(raw, { reportInput: true });
  if (!parsed.success) return { ok: false, reason: describeIssue(parsed.error) };
  const name = plainLine(parsed.data.name);
  if (name === "") return { ok: false, reason: "Cannot read tag: its name is empty" };
  if (hasMoreCodePoints(name, MAX_TAG)) {
    return { ok: false, reason: `Cannot read tag: its name has more than ${MAX_TAG} characters` };
  }
  return { ok: true, value: { name, slug: plainLine(parsed.data.slug ?? "") } };
}

/**
 * Reads an array, as in the contract's sample, or comma-separated text, as in its reference (section 2).
 *
 * @returns the tags, and how many were too long or too many
 */
function readTags(raw: string | readonly string[]) {
  const names = typeof raw === "string" ? raw.split(",") : raw;
  const all = new Set(names.map(plainLine).filter((name) => name !== ""));
  const tags = [...all].filter((name) => !hasMoreCodePoints(name, MAX_TAG)).slice(0, MAX_TAGS);
  return { tags, dropped: all.size - tags.length };
}

function readImage(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  const address = cleanText(raw);
  return address === "" || address.length > MAX_IMAGE_LENGTH ? null : address;
}

/** `Cannot read pk: expected an integer …, got null`, with the value cut short. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? "record");
  const expected = issue?.message ?? "a record";
  const got = printable(JSON.stringify(issue?.input) ?? "nothing", 60);
  return `Cannot read ${field}: expected ${expected}, got ${got}`;
}

/** Limits of a text, an author and a tag, in code points. */
const MAX_TEXT = 10_000;
const MAX_AUTHOR = 200;
const MAX_TAG = 100;

const MAX_TEXT_LINES = 400;
const MAX_TAGS = 64;

/** Levels of nesting, the record itself being the first. */
const MAX_DEPTH = 32;
/** Characters of JSON, spaces not counted. */
const MAX_RECORD = 256_000;

function hasMoreCodePoints(text: string, most: number): boolean {
  if (text.length <= most) return false;
  if (text.length > 2 * most) return true;
  return Array.from(text).length > most;
}

/** Why a parsed JSON value is too large to decode; null when it is not. */
export function findExcess(value: unknown): string | null {
  // First: `JSON.stringify` throws where a value is nested too deep for the stack.
  if (isDeeper(value, MAX_DEPTH)) return `it is nested more than ${MAX_DEPTH} levels deep`;
  const length = JSON.stringify(value)?.length ?? 0;
  return length > MAX_RECORD ? `it is longer than ${MAX_RECORD / 1_000} kB` : null;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** Parses a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
