/**
 * One page of a list: what the answer's body says, whatever shape it came in.
 *
 * A service of this kind answers with an envelope, a bare array, a single record, or an error told as a success
 * (contract, sections 2, 4.1 and 7); all four are told apart here and nowhere else.
 */
import { z } from "zod";
import type { Decoded } from "./decode.ts";
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

/** A record that could not be read, and why. */
export interface Quarantined {
  /** Place within the page, from 0. */
  readonly index: number;
  readonly reason: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly quarantined: readonly Quarantined[];
  /** Null at the end of the list. */
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
  for (const [index, raw] of envelope.results.entries()) {
    const decoded = decode(raw);
    if (decoded.ok) items.push(decoded.value);
    else quarantined.push({ index, reason: decoded.reason });
  }
  return { ok: true, value: { items, quarantined, next: envelope.next, count: envelope.count } };
}

interface Envelope {
  readonly results: readonly unknown[];
  readonly next: NextLink | null;
  readonly count: number | null;
}

function readEnvelope(body: unknown): Envelope | null {
  if (Array.isArray(body)) return { results: body, next: null, count: null };
  if (typeof body !== "object" || body === null) return null;
  if ("results" in body) {
    if (!Array.isArray(body.results)) return null;
    const next = "next" in body ? readNext(body.next) : null;
    const count = "count" in body && Number.isSafeInteger(body.count) ? Number(body.count) : null;
    return next === undefined ? null : { results: body.results, next, count };
  }
  // Some examples of the reference show a single record instead of an envelope.
  return "pk" in body || "name" in body ? { results: [body], next: null, count: null } : null;
}

/** Undefined where `next` is neither an address nor null: then nothing can be said about the end of the list. */
function readNext(raw: unknown): NextLink | null | undefined {
  if (raw === null || raw === undefined) return null;
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
