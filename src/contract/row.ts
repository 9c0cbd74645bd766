/** Finds the record in a row of a list. */
import { readKey } from "./decode.ts";
import { isFields } from "./fields.ts";

/**
 * Where rows keep their fields in JSON:API, in Django's own format, in an index of Elasticsearch, in a connection of Relay and in
 * CouchDB; and their keys there.
 */
const WITHIN = ["attributes", "fields", "_source", "node", "doc"];
const OUTER_KEYS = ["pk", "id", "_id"];

/** The record of a row, whose fields may be one level deeper. */
export function recordIn(row: unknown): unknown {
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
export function isVacant(raw: unknown): boolean {
  if (raw === null || raw === false || raw === "") return true;
  if (typeof raw === "object" && Object.keys(raw).length === 0) return true;
  if (!isFields(raw) || readKey(raw) === null) return false;
  if (!("quote" in raw)) return DELETED.some((name) => raw[name] === true || raw[name] === 1);
  return raw.quote === null || (typeof raw.quote === "string" && raw.quote.trim() === "");
}
