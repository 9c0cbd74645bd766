/**
 * Decodes the body of a list request, and reads and writes the body of an error.
 *
 * Services answer with an envelope, a bare array, a single record, or an error with status 200 (docs/contract.md, sections 2,
 * 4.1 and 7). `results` and `next` are also found under the names that other frameworks give them.
 */
import { z } from "zod";
import { type Decoded, type Dropped, findExcess, readKey } from "./decode.ts";
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

export interface Page<T> {
  readonly items: readonly T[];
  readonly quarantined: readonly Quarantined[];
  /** Parts of items that are left out because of a limit, with the key of each item. */
  readonly dropped: readonly (Dropped & { readonly pk: number })[];
  /** Fields of items that could not be read, and are empty in the item; with the key of each item. */
  readonly unread: readonly { readonly pk: number; readonly fields: readonly string[] }[];
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
  for (const [place, row] of results.entries()) {
    const raw = recordIn(row);
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
    if (decoded.unread !== undefined) unread.push({ pk, fields: decoded.unread });
  }
  return { ok: true, value: { ...rest, items, quarantined, dropped, unread, vacant } };
}

/** Where rows keep their fields in JSON:API, in Django's own format, and in an index of Elasticsearch; and their keys there. */
const WITHIN = ["attributes", "fields", "_source"];
const OUTER_KEYS = ["pk", "id", "_id"];

/** The record of a row, whose fields may be one level deeper. */
function recordIn(row: unknown): unknown {
  if (!isFields(row) || "quote" in row) return row;
  const inner = WITHIN.map((name) => row[name]).find((one) => isFields(one) && "quote" in one);
  if (!isFields(inner)) return row;
  const key = OUTER_KEYS.map((name) => row[name]).find((one) => one !== undefined);
  return "pk" in inner || key === undefined ? inner : { ...inner, pk: key };
}

/** How services mark a deleted row. */
const DELETED = ["deleted", "is_deleted", "isDeleted", "removed"];

/**
 * Some services leave a deleted row in its place: null or another empty value, the key with an empty text, or with a mark and
 * without a text.
 */
function isVacant(raw: unknown): boolean {
  if (raw === null || raw === false || raw === "") return true;
  if (typeof raw === "object" && Object.keys(raw).length === 0) return true;
  if (!isFields(raw) || readKey(raw) === null) return false;
  if (!("quote" in raw)) return DELETED.some((name) => raw[name] === true || raw[name] === 1);
  return raw.quote === null || (typeof raw.quote === "string" && raw.quote.trim() === "");
}

type Envelope = Pick<Page<unknown>, "shape" | "next" | "count"> & { results: readonly unknown[] };

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of the list in an envelope, most usual first. */
const LISTS = [
  ...["results", "data", "items", "quotes", "records", "objects", "entries", "tags"],
  ...["content", "value", "rows", "docs", "_embedded", "hits"],
];
/** Objects of an envelope that may hold `next`. */
const LINKS = ["links", "_links", "paging", "pagination", "page", "meta"];
const NEXTS = [
  ...["next", "next_page_url", "nextPage", "next_page", "next_url", "nextLink", "@odata.nextLink"],
  ...["hasMore", "has_more", "hasNext", "has_next"],
];
const COUNTS = ["count", "total", "total_count", "totalCount"];

function readEnvelope(body: unknown): Envelope | null {
  const unknown = { next: null, count: null };
  if (Array.isArray(body)) return { ...unknown, shape: "array", results: body };
  if (!isFields(body)) return null;
  const list = listOf(body);
  if (list !== null) {
    const places = [list.within, body].flatMap((fields) => [
      fields,
      ...LINKS.map((name) => fields[name]).filter(isFields),
    ]);
    const found = places.map(nextIn).find((next) => next !== undefined);
    const next = found === undefined ? null : readNext(found.value);
    const counts = places.flatMap((fields) => COUNTS.map((name) => fields[name]));
    const count = counts.find((value) => Number.isSafeInteger(value));
    const shape = found === undefined ? "envelope without next" : "envelope";
    if (next === undefined) return null;
    return {
      shape,
      results: list.results,
      next,
      count: count === undefined ? null : Number(count),
    };
  }
  if (LISTS.some((name) => name === "results" && name in body)) return null;
  // Some examples of the reference show a single record instead of an envelope.
  return "pk" in body || "name" in body ? { ...unknown, shape: "record", results: [body] } : null;
}

/** A page past the end of a service that leaves out what is empty: `{"count": 150, "previous": "…"}`. */
function isBareEnd(body: Fields): boolean {
  const names = Object.keys(body);
  return (
    typeof body["previous"] === "string" &&
    /[?&](?:limit|offset)=/.test(body["previous"]) &&
    names.every((name) => ["count", "previous"].includes(name))
  );
}

/** Finds the list of an envelope, also one level deeper, as in `{data: {results: []}}`. */
function listOf(body: Fields): { within: Fields; results: readonly unknown[] } | null {
  if ("pk" in body) return null;
  if (isBareEnd(body)) return { within: body, results: [] };
  for (const name of LISTS) {
    const isNone = name === "results" && body[name] === null && "next" in body;
    const value = isNone ? [] : body[name];
    if (Array.isArray(value)) return { within: body, results: value };
    if (!isFields(value)) continue;
    const rows = name === "results" ? rowsOf(value) : null;
    if (rows !== null) return { within: body, results: rows };
    const inner = LISTS.map((key) => value[key]).find((one) => Array.isArray(one));
    if (inner !== undefined) return { within: value, results: inner };
  }
  return "results" in body ? null : listByContent(body);
}

/** Finds a list under another name, also one level deeper: the only one that has records with a key, or is empty beside a `next`. */
function listByContent(body: Fields): { within: Fields; results: readonly unknown[] } | null {
  const found = [body, ...Object.values(body).filter(isFields)].flatMap((within) =>
    Object.values(within)
      .filter((value) => Array.isArray(value))
      .filter((rows) => isListOf(rows, within))
      .map((results: readonly unknown[]) => ({ within, results })),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isListOf(rows: readonly unknown[], within: Fields): boolean {
  if (rows.length === 0) return nextIn(within) !== undefined;
  const hasKey = (row: unknown): boolean => isFields(row) && "pk" in row;
  return rows.some(hasKey) && rows.every((row) => hasKey(row) || isVacant(row));
}

/** The rows of a list that became an object: PHP and Lua write one with numbers, XML turned to JSON has no list of one. */
function rowsOf(value: Fields): readonly unknown[] | null {
  if ("pk" in value) return [value];
  return Object.keys(value).every((key) => /^\d{1,15}$/.test(key)) ? Object.values(value) : null;
}

/** The value of `next`, which may be null; undefined where there is none. */
function nextIn(fields: Fields): { value: unknown } | undefined {
  const name = NEXTS.find((one) => fields[one] !== undefined);
  if (name !== undefined) return { value: fields[name] };
  return typeof fields.last === "boolean" ? { value: !fields.last } : undefined;
}

/** @returns null at the end, which some services write as "", false or {}; undefined where the body is no page */
function readNext(raw: unknown): Envelope["next"] | undefined {
  if (raw === null || raw === "" || raw === false) return null;
  if (raw === true || Number.isSafeInteger(raw)) return { offset: null };
  if (typeof raw === "object" && Object.keys(raw).length === 0) return null;
  if (isFields(raw)) {
    const address = [raw.href, raw.url].find((one) => one !== undefined);
    if (address !== undefined) return readNext(address);
    return "offset" in raw
      ? { offset: Number.isSafeInteger(raw.offset) ? Number(raw.offset) : null }
      : undefined;
  }
  if (typeof raw !== "string") return undefined;
  const offset = offsetIn(raw.replaceAll("&amp;", "&"));
  return { offset: /^\d{1,15}$/.test(offset) ? Number(offset) : null };
}

/** The last `offset` of an address, also where the address is a parameter of another one; empty without any. */
function offsetIn(address: string): string {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1]);
  const own = parameters.getAll("offset").at(-1);
  if (own !== undefined) return own;
  const inner = [...parameters.values()].find((value) => /\?.*\boffset=/.test(value));
  const parts = new URLSearchParams(/\?([^#]*)/.exec(inner ?? "")?.[1]);
  return parts.getAll("offset").at(-1) ?? "";
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
const ERROR_FIELDS = ["errmsg", "error", "errors", "errno", "detail", "message", "msg"];
/** Words of services that write a message into every answer. */
const FINE = /^\W*(?:ok|okay|success|successful|successfully|done|found)\b/i;

/**
 * Reads the message of an error body, safe to print and cut short; null when the body is not an error. A message beside
 * records is none, but an empty list beside one is never an empty page.
 */
export function readErrorBody(body: unknown): string | null {
  if (!isFields(body) || "pk" in body) return null;
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
