/** Finds the records in the rows of a list. */
import { readKey } from "./decode.ts";
import { isFields } from "./fields.ts";

/**
 * Where rows keep their fields in JSON:API, in Django's own format, in an index of Elasticsearch, in a connection of Relay and in
 * CouchDB; and their keys there.
 */
const WITHIN = ["attributes", "fields", "_source", "node", "doc"];
const KEYS = ["pk", "id", "_id"];

/**
 * The records of the rows of one list, with their keys as `pk`. A record may be one level deeper than its row, beside its key. Where
 * no record has a `pk`, its `id` is its key: beside others it is the number of something else, such as an advertisement.
 */
export function recordsIn(rows: readonly unknown[]): unknown[] {
  const records = rows.map(recordIn);
  const isKeyed = records.some((record) => isFields(record) && "pk" in record);
  return isKeyed ? records : records.map((record) => withKey(record, record));
}

function recordIn(row: unknown): unknown {
  if (!isFields(row) || "quote" in row) return row;
  const inner = WITHIN.map((name) => row[name]).find((one) => isFields(one) && "quote" in one);
  return inner === undefined ? row : withKey(inner, row);
}

function withKey(record: unknown, keyed: unknown): unknown {
  if (!isFields(record) || !isFields(keyed) || "pk" in record || !("quote" in record))
    return record;
  const key = KEYS.map((name) => keyed[name]).find((one) => one !== undefined);
  return key === undefined ? record : { ...record, pk: key };
}

/** How services mark a deleted row. */
const DELETED = ["deleted", "is_deleted", "isDeleted", "removed"];

/**
 * Some services leave a deleted row in its place: null or another empty value, the key with an empty text, or with a mark and
 * without a text.
 */
export function isVacant(raw: unknown): boolean {
  if (raw === null || raw === false || raw === "") return true;
  if (typeof raw === "object" && Object.keys(raw).length === 0) return true;
  if (!isFields(raw) || readKey(raw) === null) return false;
  if (!("quote" in raw)) return DELETED.some((name) => raw[name] === true || raw[name] === 1);
  return raw.quote === null || (typeof raw.quote === "string" && raw.quote.trim() === "");
}
