/**
 * One page of a list: what the answer's body says, whatever shape it came in.
 *
 * A service of this kind answers with an envelope, a bare array, a single record, or an error told as a success
 * (contract, sections 2, 4.1 and 7); all four are told apart here and nowhere else.
 */
import { z } from "zod";
import type { Decoded, Dropped } from "./decode.ts";
import { readErrorBody } from "./error-body.ts";

/** The envelope our own service writes; `count` stands in the tag list alone (contract, section 2). */
export const envelopeSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });

/** The only two things ever taken from a `next` address; null where it names none, or one that is no whole number. */
export interface NextLink {
  readonly offset: number | null;
  readonly limit: number | null;
}

/** A record that could not be read, and why. It is there all the same. */
export interface Quarantined {
  /** Place within the page, from 0. */
  readonly index: number;
  /** Its key, where that much can be read. */
  readonly pk: number | null;
  readonly reason: string;
}

/**
 * What the body was. Only an `envelope`, which has `results` and `next`, can say where a list ends: the `next` of
 * every other shape is null because the body does not name one.
 */
export type PageShape = "envelope" | "envelope without next" | "array" | "record";

export interface Page<T> {
  readonly items: readonly T[];
  readonly quarantined: readonly Quarantined[];
  /** What items had over a limit and lost for it, with the key of each. */
  readonly dropped: readonly (Dropped & { readonly pk: number })[];
  readonly shape: PageShape;
  /** Null at the end of the list, if the shape can say so. */
  readonly next: NextLink | null;
  /** What the service claims to hold; logged, never trusted. */
  readonly count: number | null;
}

/** Reads a body that was already parsed as JSON; a reason where it is no page. */
export function decodePage<T>(
  body: unknown,
  decode: (raw: unknown) => Decoded<T>,
): Decoded<Page<T>> {
  const error = readErrorBody(body);
  if (error !== null) return { ok: false, reason: `the service answered "${error}" as a success` };
  const envelope = readEnvelope(body);
  if (envelope === null) return { ok: false, reason: "the body is neither a page nor a record" };
  const items: T[] = [];
  const quarantined: Quarantined[] = [];
  const dropped: (Dropped & { readonly pk: number })[] = [];
  for (const [index, raw] of envelope.results.entries()) {
    const decoded = decode(raw);
    if (!decoded.ok) {
      quarantined.push({ index, pk: readKey(raw), reason: decoded.reason });
      continue;
    }
    items.push(decoded.value);
    if (decoded.dropped !== undefined) dropped.push({ pk: readKey(raw) ?? 0, ...decoded.dropped });
  }
  const { shape, next, count } = envelope;
  return { ok: true, value: { items, quarantined, dropped, shape, next, count } };
}

/** The key of a record that need not be readable otherwise; a key sent as text is the key all the same. */
function readKey(raw: unknown): number | null {
  if (typeof raw !== "object" || raw === null || !("pk" in raw)) return null;
  const { pk } = raw;
  const key = typeof pk === "string" && /^[1-9]\d{0,15}$/.test(pk) ? Number(pk) : pk;
  return Number.isSafeInteger(key) && Number(key) > 0 ? Number(key) : null;
}

interface Envelope {
  readonly shape: PageShape;
  readonly results: readonly unknown[];
  readonly next: NextLink | null;
  readonly count: number | null;
}

function readEnvelope(body: unknown): Envelope | null {
  if (Array.isArray(body)) return listOf("array", body);
  if (typeof body !== "object" || body === null) return null;
  if ("results" in body) {
    if (!Array.isArray(body.results)) return null;
    const hasNext = "next" in body && body.next !== undefined;
    const next = hasNext ? readNext(body.next) : null;
    const count = "count" in body && Number.isSafeInteger(body.count) ? Number(body.count) : null;
    const shape = hasNext ? "envelope" : "envelope without next";
    return next === undefined ? null : { shape, results: body.results, next, count };
  }
  // Some examples of the reference show a single record instead of an envelope.
  return "pk" in body || "name" in body ? listOf("record", [body]) : null;
}

function listOf(shape: PageShape, results: readonly unknown[]): Envelope {
  return { shape, results, next: null, count: null };
}

/** Undefined where `next` is neither an address nor null: then nothing can be said about the end of the list. */
function readNext(raw: unknown): NextLink | null | undefined {
  if (raw === null) return null;
  if (typeof raw !== "string") return undefined;
  const query = raw.includes("?") ? raw.slice(raw.indexOf("?") + 1) : "";
  const parameters = new URLSearchParams(query.split("#", 1)[0]);
  return {
    offset: wholeNumber(parameters.getAll("offset").at(-1)),
    limit: wholeNumber(parameters.getAll("limit").at(-1)),
  };
}

function wholeNumber(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return null;
  return Number(text);
}
