/**
 * What this browser did with a quote, by `vote` and `report`: one small entry each, so tabs never overwrite each other.
 *
 * Where storage is refused or full, an entry lasts for the visit. An unknown entry counts as none.
 */
import { store, stored } from "../browser.ts";

export type Kind = "vote" | "report";

/** `sent`, `hidden` and `shown` are the states of a report; `sent` is one whose answer did not arrive. */
const KNOWN = /^(?:upvote|downvote|sent|hidden|shown)$/;

const visit = new Map<string, string>();

/** Sites below one host have an origin in common, and their own quotes each. */
export function keyOf(kind: Kind, pk: string): string {
  return `${kind}:${import.meta.env.BASE_URL}:${pk}`;
}

/** Empty where nothing is known. */
export function recall(kind: Kind, pk: string): string {
  const key = keyOf(kind, pk);
  const value = visit.get(key) ?? stored(key) ?? "";
  return KNOWN.test(value) ? value : "";
}

/** @param value empty to forget */
export function remember(kind: Kind, pk: string, value: string): void {
  const key = keyOf(kind, pk);
  visit.delete(key);
  if (store(key, value || null) !== "done") visit.set(key, value);
}

/**
 * Lets one tab at a time act on a quote: storage alone may lag between two processes of a browser.
 *
 * Locks are missing outside of secure origins and refused where storage is; then the entries above must do.
 *
 * @param run not called while another tab holds the name
 */
export async function runAlone(name: string, run: () => Promise<void>): Promise<void> {
  let asked = false;
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      asked = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (asked) throw error;
    await run();
  }
}
