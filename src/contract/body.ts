/**
 * Decodes the body of a list request, and reads and writes the body of an error.
 *
 * Services answer with an envelope, a bare array, a single record, or an error with status 200 (docs/contract.md, sections 2,
 * 4.1 and 7).
 */
import { z } from "zod";
import { type Decoded, type Dropped, findExcess, readKey } from "./decode.ts";
import { listOf, readEnvelope, type Envelope } from "./envelope.ts";
import { isFields, type Fields } from "./fields.ts";
import { isVacant, recordsIn } from "./row.ts";
import { plainLine, printable } from "../util/text.ts";

/** The envelope of the embedded service; only its tag list has a `count` (docs/contract.md, section 2). */
export const envelopeSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });

/** A record that could not be read, and why; the quote still exists. */
export interface Quarantined {
  /** Place within the page, from 0; vacant rows are not counted. */
  readonly index: number;
  /** Its key; null when the key could not be read either. */
  readonly pk: number | null;
  readonly reason: string;
}

export interface Page<T> extends Omit<Envelope, "results"> {
  readonly items: readonly T[];
  readonly quarantined: readonly Quarantined[];
  /** Parts of items that are left out because of a limit, with the key of each item. */
  readonly dropped: readonly (Dropped & { readonly pk: number })[];
  /** Fields of items that could not be read, and are empty in the item; with the key of each item. */
  readonly unread: readonly { readonly pk: number; readonly fields: readonly string[] }[];
  /** Names that stood in the place of a language's code, each once. */
  readonly named: readonly string[];
  /** Places of rows that hold no record: null, or a key without a text. They count as served. */
  readonly vacant: readonly number[];
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
  if (envelope === null) return { ok: false, reason: describeOther(body) };
  const { results, ...rest } = envelope;
  const vacant: number[] = [];
  const items: T[] = [];
  const quarantined: Quarantined[] = [];
  const dropped: (Dropped & { readonly pk: number })[] = [];
  const unread: { pk: number; fields: readonly string[] }[] = [];
  const named = new Set<string>();
  for (const [place, raw] of recordsIn(results).entries()) {
    if (isVacant(raw)) {
      vacant.push(place);
      continue;
    }
    const decoded = decode(raw);
    if (!decoded.ok) {
      const index = items.length + quarantined.length;
      quarantined.push({ index, pk: readKey(raw), reason: decoded.reason });
      continue;
    }
    items.push(decoded.value);
    const pk = readKey(raw) ?? 0;
    if (decoded.dropped !== undefined) dropped.push({ pk, ...decoded.dropped });
    if (decoded.named !== undefined) named.add(decoded.named);
    if (decoded.unread !== undefined) unread.push({ pk, fields: decoded.unread });
  }
  return {
    ok: true,
    value: { ...rest, items, quarantined, dropped, unread, named: [...named], vacant },
  };
}

/** Names what came in place of a page, so that an operator sees which address answers. */
function describeOther(body: unknown): string {
  if (!isFields(body))
    return `the body is ${JSON.stringify(typeof body)}, neither a page nor a record`;
  const keys = Object.keys(body)
    .slice(0, 12)
    .map((key) => printable(plainLine(key), 40));
  const named = keys.length === 0 ? "no keys" : `the keys ${keys.join(", ")}`;
  return printable(`the body is no page: it has ${named}, and no list of quotes in "results"`, 300);
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

/** Fields that tell of an error, and what they say. */
export const ERROR_FIELDS = ["errmsg", "error", "errors", "errno", "detail", "message", "msg"];
/** Words of services that write a message into every answer. */
const FINE = /^\W*(?:ok|okay|success|successful|successfully|done|found)\b/i;

/** Fields by which a search says that its answer lacks what it could not ask in time. */
const INCOMPLETE = ["incomplete_results", "timed_out", "partial_results", "is_partial"].concat([
  "incompleteResults",
  "timedOut",
  "partialResults",
  "isPartial",
]);

/** The field by which an answer says that it is not whole; null for none. */
function incompleteField(body: Fields): string | null {
  const { _shards: shards } = body;
  const hasFailed = isFields(shards) && Number(shards["failed"] ?? 0) > 0;
  return INCOMPLETE.find((name) => body[name] === true) ?? (hasFailed ? "_shards.failed" : null);
}

/**
 * Reads the message of an error body, safe to print and cut short; null when the body is not an error. A message beside
 * records is none, but an empty list beside one is never an empty page, nor is an answer one that says it is not whole.
 */
export function readErrorBody(body: unknown): string | null {
  if (!isFields(body) || "pk" in body) return null;
  const incomplete = incompleteField(body);
  if (incomplete !== null) return `${incomplete}: a part of the quotes is missing`;
  const list = listOf(body);
  if (list !== null && list.results.length > 0) return null;
  if (list === null && isFields(body.results)) return null;
  const said = ERROR_FIELDS.map((name) => body[name]).find(
    (value) =>
      ![undefined, null, "", 0, false].some((none) => none === value) &&
      !(typeof value === "object" && value !== null && Object.keys(value).length === 0) &&
      !(typeof value === "string" && FINE.test(value)),
  );
  if (said !== undefined) return describe(said);
  const isFailed =
    body.success === false ||
    body.ok === false ||
    (typeof body.status === "string" && /^(?:error|fail)/i.test(body.status)) ||
    [body.status, body.code].some((code) => typeof code === "number" && code >= 400);
  const isEmptyError = list === null && ERROR_FIELDS.some((name) => name in body);
  return isFailed || isEmptyError ? "an error without a reason" : null;
}

function describe(message: unknown): string {
  const excess = findExcess(message);
  if (excess !== null) return `a reason, but ${excess}`;
  const text = typeof message === "string" ? message : JSON.stringify(message ?? "no reason given");
  return printable(plainLine(text), 200);
}
