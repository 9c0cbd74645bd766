/** What a state folder publishes; nothing where it publishes nothing. */
import type { Quote } from "../../../src/contract/quote.ts";
import { openPublished } from "../../../src/snapshot/index.ts";

export function publishedIn(stateDir: string): Quote[] {
  const snapshot = openPublished(stateDir);
  const quotes = [...(snapshot?.all() ?? [])];
  snapshot?.close();
  return quotes;
}
