/**
 * Decodes records that a service sends: unknown JSON in, trusted types out.
 *
 * A record that cannot be read is quarantined with a reason; the caller decides how many are too many. The same holds for a
 * record over a limit of text, size or depth, which could fill a disk, a page or a call stack. An author or a tag over its
 * limit is left out.
 */
import { z } from "zod";
import { readLanguage } from "./language-names.ts";
import { isLanguageCode, UNDETERMINED } from "./languages.ts";
import { MAX_PK, type Quote, type QuoteSource, type Tag, type WireQuote } from "./quote.ts";
import { plainLine, cleanText, printable } from "../util/text.ts";
import { cutAuthor } from "./cut-author.ts";
import { isFields } from "./fields.ts";

const PK = `an integer from 0 to ${MAX_PK}`;

/** Only these two are essential: a record without them is no quote. */
const essentialSchema = z.object(
  { pk: z.preprocess(toInteger, z.int(PK).min(0, PK).max(MAX_PK, PK)), quote: z.string("text") },
  "a record",
);

const looseTagSchema = z.object(
  { name: z.string("text"), slug: z.string("text").nullish() },
  "a record",
);

/** Reads a text of digits only as the integer that it is; returns any other value unchanged. */
function toInteger(raw: unknown): unknown {
  return typeof raw === "string" && /^\s*-?\d{1,16}\s*$/.test(raw) ? Number(raw) : raw;
}

/** Reads the key of a record, whose other fields may be unreadable; null without one. */
export function readKey(raw: unknown): number | null {
  if (typeof raw !== "object" || raw === null || !("pk" in raw)) return null;
  return essentialSchema.shape.pk.safeParse(raw.pk).data ?? null;
}

/** A decoded value, or the reason why there is none. */
export type Decoded<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly dropped?: Dropped;
      /** Names of the fields that could not be read; each is empty in the value. */
      readonly unread?: readonly string[];
      /** The name that stood in the place of a language's code. */
      readonly named?: string;
    }
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
  const parsed = essentialSchema.safeParse(raw, { reportInput: true });
  return parsed.success
    ? toQuote(parsed.data.pk, parsed.data.quote, raw as Readonly<Record<string, unknown>>)
    : { ok: false, reason: describeIssue(parsed.error) + describeKeys(raw) };
}

function toQuote(
  id: number,
  served: string,
  record: Readonly<Record<string, unknown>>,
): Decoded<Quote> {
  const unread: string[] = [];
  /** The field as `read` understands it; what it does not understand counts as empty, and is named. */
  const field = <T>(name: keyof WireQuote, read: (raw: unknown) => T | undefined, empty: T): T => {
    const raw = valueIn(record[name]);
    if (raw === undefined || raw === null) return empty;
    const value = read(raw);
    if (value === undefined) unread.push(name);
    return value ?? empty;
  };
  const servedName = field<string | null>("author", readAuthor, null);
  const name = plainLine(servedName ?? "") || null;
  const isTooLong = name !== null && hasMoreCodePoints(name, MAX_AUTHOR);
  const author = isTooLong ? null : name;
  const cleaned = cleanText(served);
  const text = author === null ? cleaned : cutAuthor(cleaned, author);
  const fault = findFault(text);
  if (fault !== null) return { ok: false, reason: `Cannot read quote ${id}: ${fault}` };
  const { tags, dropped } = readTags(field("tags", readNames, []));
  const servedAuthor = isTooLong ? null : servedName;
  const code = field("language", readCode, "").trim();
  const language = readLanguage(code);
  const asServed = text === served && author === servedAuthor;
  const value: Quote = {
    ...{ id, text, author, tags },
    likes: field("likes", readCount, 0),
    image: readImage(record.image),
    language,
    served: asServed
      ? null
      : { quote: served.toWellFormed(), author: servedAuthor?.toWellFormed() ?? null },
    source: readSource(record, author),
  };
  return {
    ...{ ok: true, value },
    ...(isTooLong || dropped > 0 ? { dropped: { authors: Number(isTooLong), tags: dropped } } : {}),
    ...(unread.length > 0 ? { unread } : {}),
    ...(language === code || language === UNDETERMINED ? {} : { named: code }),
  };
}

/** Fields of a nested record that hold its name, most usual first. */
const NAMES = ["name", "full_name", "title", "label", "code", "slug", "tag"];

/** The parts of a person's name. */
const NAMES_IN_PARTS = [
  ["first_name", "last_name"],
  ["firstName", "lastName"],
  ["given_name", "family_name"],
  ["givenName", "familyName"],
];

/** Where a related record is, as JSON:API and Strapi write it: `{data: {id, attributes: {…}}}`. */
const RELATED = ["data", "attributes"];

/** The value of a field, or of its relation. */
function valueIn(raw: unknown): unknown {
  if (!isFields(raw)) return raw;
  const related = RELATED.find((name) => name in raw);
  const hasName = NAMES.some((name) => name in raw);
  return related === undefined || hasName ? raw : valueIn(raw[related]);
}

/** Reads a text, or the name of a nested record, as DRF's nested serializers write it. */
function readName(served: unknown): string | undefined {
  const raw = valueIn(served);
  if (typeof raw === "string") return raw;
  if (!isFields(raw)) return undefined;
  const named = NAMES.map((key) => raw[key]);
  const name = named.find((value) => typeof value === "string");
  if (typeof name === "string") return name;
  // The row of a table that joins two others, with the record that it joins.
  const joined = named.find(isFields);
  if (joined !== undefined) return readName(joined);
  const parts = NAMES_IN_PARTS.map((keys) => keys.map((key) => raw[key])).find((values) =>
    values.some((value) => typeof value === "string"),
  );
  return parts?.filter((part) => typeof part === "string").join(" ");
}

/** Fields of a nested language that hold its code. */
const CODES = ["code", "iso_code", "iso", "slug", "id"];

/** Reads a code, or that of a nested language, which may have a name, too. */
function readCode(raw: unknown): string | undefined {
  // An index of texts has every field as a list.
  if (Array.isArray(raw)) return raw.length === 1 ? readCode(raw[0]) : undefined;
  const codes = isFields(raw) ? CODES.map((key) => raw[key]) : [];
  const code = codes.find((value) => typeof value === "string" && isLanguageCode(value));
  // A locale of POSIX has "en_US" for "en-US".
  return (typeof code === "string" ? code : readName(raw))?.replaceAll("_", "-");
}

function readNames(raw: unknown): string | string[] | undefined {
  if (typeof raw === "string") return listIn(raw) ?? raw;
  if (!Array.isArray(raw)) return undefined;
  const names = raw.map(readName).filter((name) => name !== undefined);
  return names.length === raw.length ? names : undefined;
}

/** The list in a text that is JSON, or PostgreSQL's form of an array; undefined for any other text. */
function listIn(text: string): string[] | undefined {
  const json = /^\s*\[/.test(text) ? parseJson(text) : undefined;
  if (Array.isArray(json) && json.every((one) => typeof one === "string")) return json;
  const inner = /^\s*\{([^{}]*)\}\s*$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const names = inner.match(/"(?:[^"\\]|\\.)*"|[^,"]+/g) ?? [];
  return names.map((name) => name.replace(/^"|"$|\\(?=.)/g, ""));
}

/** Of a list the names, with commas. */
function readAuthor(raw: unknown): string | undefined {
  const names = readNames(raw);
  return Array.isArray(names) ? names.join(", ") : (names ?? readName(raw));
}

function readCount(raw: unknown): number | undefined {
  if (isFields(raw) && "count" in raw) return readCount(raw["count"]);
  // A decimal of whole votes, as some databases write a sum, or thousands with commas.
  const plain = (text: string): string =>
    text.replace(/\.0+\s*$/, "").replace(/(?<=\d),(?=\d{3}(?:,|\s*$))/g, "");
  const whole = typeof raw === "string" ? plain(raw) : raw;
  const count = toInteger(whole);
  return Number.isSafeInteger(count) ? Number(count) : undefined;
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
 * Reads an array, as in the contract's sample, or comma-separated text, as in its reference (section 2); a text without a comma
 * may have other signs between the names.
 *
 * @returns the tags, and how many were too long or too many
 */
function readTags(raw: string | readonly string[]) {
  const names = typeof raw === "string" ? raw.split(raw.includes(",") ? "," : /[|;]/) : raw;
  const all = new Set(names.map(plainLine).filter((name) => name !== ""));
  const tags = [...all].filter((name) => !hasMoreCodePoints(name, MAX_TAG)).slice(0, MAX_TAGS);
  return { tags, dropped: all.size - tags.length };
}

function readImage(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  const address = cleanText(raw);
  return address === "" || address.length > MAX_IMAGE_LENGTH ? null : address;
}

/** Fields that hold the title of a work, most exact first. */
const WORKS = ["source", "work", "book"];

const WEB_ADDRESS = /^(?:https?:\/\/|www\.)/i;

/**
 * Reads where a quote stands in print: a title, or a record with one, and a year in it or beside it.
 *
 * The contract has no such field, so what does not look like a title is none, and no fault: a number is the key of another
 * table, an address is where the service found the quote, and some services call the author the source.
 */
export function readSource(
  record: Readonly<Record<string, unknown>>,
  author: string | null,
): QuoteSource | null {
  for (const field of WORKS) {
    const raw = record[field];
    const nested = typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>) : {};
    const work = plainLine(readName(nested["work"] ?? raw) ?? "");
    if (work === "" || work === author || WEB_ADDRESS.test(work)) continue;
    if (hasMoreCodePoints(work, MAX_WORK)) continue;
    return { work, year: readYear(nested["year"] ?? record["year"]) };
  }
  return null;
}

function readYear(raw: unknown): string | null {
  if (typeof raw !== "string" && !Number.isSafeInteger(raw)) return null;
  const year = plainLine(String(raw));
  return year === "" || hasMoreCodePoints(year, MAX_YEAR) ? null : year;
}

/** `Cannot read pk: expected an integer …, got null`, with the value cut short. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? "record");
  const expected = issue?.message ?? "a record";
  const got = printable(JSON.stringify(issue?.input) ?? "nothing", 60);
  const isTextKey = field === "pk" && typeof issue?.input === "string";
  const advice = isTextKey ? TEXT_KEY : "";
  return `Cannot read ${field}: expected ${expected}, got ${got}${advice}`;
}

/** The names of a record's fields, where it lacks an essential one: it may have another name. */
function describeKeys(raw: unknown): string {
  if (!isFields(raw) || ("pk" in raw && "quote" in raw)) return "";
  const keys = Object.keys(raw).slice(0, 12);
  return keys.length === 0 ? "" : `; the record has ${printable(plainLine(keys.join(", ")), 100)}`;
}

const TEXT_KEY =
  "; keys of text, such as UUIDs, are not supported: ask the service for the integer key of its rows";

/** Limits of a text, an author, a tag, and the work and year of a source, in code points. */
export const MAX_TEXT = 10_000;
export const MAX_AUTHOR = 200;
export const MAX_TAG = 100;
export const MAX_WORK = 300;
export const MAX_YEAR = 30;

const MAX_TEXT_LINES = 400;
export const MAX_TAGS = 64;

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
