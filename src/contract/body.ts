/**
 * Decodes the body of a list request, and reads and writes the body of an error.
 *
 * Services answer with an envelope, a bare array, a single record, or an error with status 200 (contract, sections 2,
 * 4.1 and 7).
 */
import { z } from "zod";
import { type Decoded, type Dropped, findExcess } from "./decode.ts";
import { plainLine, printable } from "../util/text.ts";

/** The envelope of the embedded service; only its tag list has a `count` (contract, section 2). */
export const envelopeSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });

/** A record that could not be read, and why; the quote still exists. */
export interface Quarantined {
  /** Place within the page, from 0. */
  readonly index: number;
  /** Its key; null when the key could not be read either. */
  readonly pk: number | null;
  readonly reason: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly quarantined: readonly Quarantined[];
  /** Parts of items that are left out because of a limit, with the key of each item. */
  readonly dropped: readonly (Dropped & { readonly pk: number })[];
  /**
   * Shape of the body. Only an `envelope`, with `results` and `next`, shows where a list ends: in any other shape `next`
   * is null because it is absent.
   */
  readonly shape: "envelope" | "envelope without next" | "array" | "record";
  /**
   * The only parameter that is read from a `next` address, null when absent or not a whole number. `next` is null at the
   * end of the list, if the shape shows an end.
   */
  readonly next: { readonly offset: number | null } | null;
  /** Number of records that the service claims; null for none. Never trusted. */
  readonly count: number | null;
}

/** @param body parsed JSON */
export function decodePage<T>(
  body: unknown,
  decode: (raw: unknown) => Decoded<T>,
): Decoded<Page<T>> {
  const error = readErrorBody(body);
  if (error !== null) {
    return { ok: false, reason: `the service answered "${error}" with status 200` };
  }
  const envelope = readEnvelope(body);
  if (envelope === null) return { ok: false, reason: "the body is neither a page nor a record" };
  const { results, ...rest } = envelope;
  const items: T[] = [];
  const quarantined: Quarantined[] = [];
  const dropped: (Dropped & { readonly pk: number })[] = [];
  for (const [index, raw] of results.entries()) {
    const decoded = decode(raw);
    if (!decoded.ok) {
      quarantined.push({ index, pk: readKey(raw), reason: decoded.reason });
      continue;
    }
    items.push(decoded.value);
    if (decoded.dropped !== undefined) dropped.push({ pk: readKey(raw) ?? 0, ...decoded.dropped });
  }
  return { ok: true, value: { ...rest, items, quarantined, dropped } };
}

/** Reads the key of a record, whose other fields may be unreadable. A key may be sent as text. */
function readKey(raw: unknown): number | null {
  if (typeof raw !== "object" || raw === null || !("pk" in raw)) return null;
  const { pk } = raw;
  const key = typeof pk === "string" && /^[1-9]\d{0,15}$/.test(pk) ? Number(pk) : pk;
  return Number.isSafeInteger(key) && Number(key) > 0 ? Number(key) : null;
}

type Envelope = Pick<Page<unknown>, "shape" | "next" | "count"> & { results: readonly unknown[] };

function readEnvelope(body: unknown): Envelope | null {
  const unknown = { next: null, count: null };
  if (Array.isArray(body)) return { ...unknown, shape: "array", results: body };
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
  return "pk" in body || "name" in body ? { ...unknown, shape: "record", results: [body] } : null;
}

/** @returns null at the end, which some services write as ""; undefined when `next` is no text: then the body is no page */
function readNext(raw: unknown): Envelope["next"] | undefined {
  if (raw === null || raw === "") return null;
  if (typeof raw !== "string") return undefined;
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(raw)?.[1]);
  const offset = parameters.getAll("offset").at(-1) ?? "";
  return { offset: /^\d{1,15}$/.test(offset) ? Number(offset) : null };
}

/** The error body of the embedded service and of the relay. */
export const errorBodySchema = z.object({ errno: z.int(), errmsg: z.string() });

/** The contract names two messages (section 7); the others are HTTP's names of the statuses. */
export const ERROR_MESSAGES = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  411: "Length Required",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  421: "Misdirected Request",
  429: "too many requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
} as const;

export type ErrorStatus = keyof typeof ERROR_MESSAGES;

export function errorJson(status: ErrorStatus): string {
  const body: z.infer<typeof errorBodySchema> = { errno: status, errmsg: ERROR_MESSAGES[status] };
  return JSON.stringify(body);
}

/** Reads the message of an error body, safe to print and cut short; null when the body is not an error. */
export function readErrorBody(body: unknown): string | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  if ("results" in body || "pk" in body) return null;
  if ("errmsg" in body) return describe(body.errmsg);
  if ("errno" in body) return describe(body.errno);
  return "detail" in body ? describe(body.detail) : null;
}

function describe(message: unknown): string {
  const excess = findExcess(message);
  if (excess !== null) return `a reason, but ${excess}`;
  const text = typeof message === "string" ? message : JSON.stringify(message ?? "no reason given");
  return printable(plainLine(text), 200);
}
