/**
 * Finds the list of an envelope, and what it says of the next page. `results` and `next` are also found under the names that
 * other frameworks give them, and a list up to three levels deep.
 */
import { isFields, type Fields } from "./fields.ts";
import { isVacant, recordsIn } from "./row.ts";

export interface Envelope {
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
  readonly results: readonly unknown[];
}

/** Names of the list in an envelope, most usual first. */
const LISTS = [
  ...["results", "data", "items", "quotes", "records", "objects", "entries", "tags"],
  ...["content", "value", "rows", "docs", "_embedded", "hits"],
];
/** Objects of an envelope that may hold `next`. */
const LINKS = ["links", "_links", "paging", "pagination", "page", "pageInfo", "meta"];
const NEXTS = [
  ...["next", "next_page_url", "nextPage", "next_page", "next_url", "nextLink", "@odata.nextLink"],
  ...["hasMore", "has_more", "hasNext", "has_next", "hasNextPage"],
];
/** How deep a list may be below the body. */
const DEEPEST = 3;
const COUNTS = ["count", "total", "total_count", "totalCount"];

/** @returns null for what is no page */
export function readEnvelope(body: unknown): Envelope | null {
  const unknown = { next: null, count: null };
  if (Array.isArray(body)) return { ...unknown, shape: "array", results: body };
  if (!isFields(body)) return null;
  const list = listOf(body);
  if (list !== null) {
    const places = list.within
      .toReversed()
      .flatMap((fields) => [fields, ...LINKS.map((name) => fields[name]).filter(isFields)]);
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

interface FoundList {
  /** The body, and the objects in it that lead to the list. */
  readonly within: readonly Fields[];
  readonly results: readonly unknown[];
}

/** Finds the list of an envelope, also one level deeper, as in `{data: {results: []}}`. */
export function listOf(body: Fields): FoundList | null {
  if ("pk" in body) return null;
  for (const name of LISTS) {
    const isNone = name === "results" && body[name] === null && "next" in body;
    const value = isNone ? [] : body[name];
    if (Array.isArray(value)) return { within: [body], results: value };
    if (!isFields(value)) continue;
    const rows = name === "results" ? rowsOf(value) : null;
    if (rows !== null) return { within: [body], results: rows };
    const inner = LISTS.map((key) => value[key]).find((one) => Array.isArray(one));
    if (inner !== undefined) return { within: [body, value], results: inner };
  }
  return "results" in body ? null : listByContent(body);
}

/** Finds a list under another name: the only one that has records with a key, or is empty beside a `next`. */
function listByContent(body: Fields): FoundList | null {
  const found = pathsIn([body], DEEPEST).flatMap((within) => {
    const own = within.at(-1) ?? body;
    return Object.values(own)
      .filter((value) => Array.isArray(value))
      .filter((rows) => isListOf(rows, own))
      .map((results: readonly unknown[]) => ({ within, results }));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The objects that lead to each object, so many levels deep. */
function pathsIn(path: readonly Fields[], levels: number): (readonly Fields[])[] {
  if (levels === 1) return [path];
  const inner = Object.values(path.at(-1) ?? {}).filter(isFields);
  return [path, ...inner.flatMap((one) => pathsIn([...path, one], levels - 1))];
}

function isListOf(rows: readonly unknown[], within: Fields): boolean {
  if (rows.length === 0) return nextIn(within) !== undefined;
  const records = recordsIn(rows);
  const hasKey = (record: unknown): boolean => isFields(record) && "pk" in record;
  return records.some(hasKey) && records.every((record) => hasKey(record) || isVacant(record));
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
