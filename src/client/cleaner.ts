/**
 * Removes the credential from what a service sends: it may echo it in an error, a link or a record, in any encoding.
 *
 * The raw body is cleaned before any part is cut out of it, and the decoded values once more: escapes in JSON can hide
 * the credential until they are decoded.
 */
import { SecretFinder } from "../contract/secrets/finder.ts";

export interface Cleaner {
  text(text: string): string;
  /** Returns the same value, or a copy of plain data with its strings cleaned. */
  value<T>(value: T): T;
}

/** @param token null for none: then nothing is changed */
export function makeCleaner(token: string | null): Cleaner {
  const finder = new SecretFinder(token === null ? [] : [{ name: "the token", value: token }]);
  const text = (dirty: string): string => finder.redact(dirty);
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [text(key), clean(part)]));
  };
  return {
    text,
    value: <T>(value: T) => (finder.names.length === 0 ? value : (clean(value) as T)),
  };
}
