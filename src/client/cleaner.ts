/**
 * Takes the credential out of what a service says: it may echo it in an error, a link or a record, in any encoding.
 *
 * Text is cleaned as it came, before anything is cut out of it; and what was read from it once more, since a text that
 * is escaped in part shows what it says only then.
 */
import { SecretFinder } from "../contract/secrets/finder.ts";

export interface Cleaner {
  text(text: string): string;
  /** The same value, or a copy of plain data with its texts cleaned. */
  value<T>(value: T): T;
}

/** @param token null for none: then everything stays as it is */
export function cleanerFor(token: string | null): Cleaner {
  const finder = new SecretFinder(token === null ? [] : [{ name: "the token", value: token }]);
  const text = (dirty: string): string => finder.redact(dirty);
  const cleaned = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(cleaned);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [text(key), cleaned(part)]),
    );
  };
  return {
    text,
    value: <T>(value: T) => (finder.names.length === 0 ? value : (cleaned(value) as T)),
  };
}
