/**
 * What this browser did with a quote, by `vote` and `report`: one small entry each, so tabs never overwrite each other.
 *
 * Storage may be refused, full or full of nonsense: then what happens is remembered for the visit, and nonsense counts as
 * nothing.
 */

export type Kind = "vote" | "report";

/** `sent`, `hidden` and `shown` are what became of a report; `sent` is one whose answer nobody waited for. */
const KNOWN = /^(?:upvote|downvote|sent|hidden|shown)$/;

const visit = new Map<string, string>();
const storage = reachable();

function reachable(): Storage | null {
  try {
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Sites below one host have an origin in common, and their own quotes each. */
export function keyOf(kind: Kind, pk: string): string {
  return `${kind}:${import.meta.env.BASE_URL}:${pk}`;
}

/** Empty where nothing is known. */
export function recall(kind: Kind, pk: string): string {
  const key = keyOf(kind, pk);
  const value = visit.get(key) ?? storage?.getItem(key) ?? "";
  return KNOWN.test(value) ? value : "";
}

/** @param value empty to forget */
export function remember(kind: Kind, pk: string, value: string): void {
  const key = keyOf(kind, pk);
  visit.delete(key);
  try {
    if (value === "") storage?.removeItem(key);
    else storage?.setItem(key, value);
    if (storage !== null) return;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
  visit.set(key, value);
}
