/** The tables of docs/search.md: the order of the answers. */
import { PLACES, RANKS } from "../../src/islands/search/ranking.ts";

export const RANKS_HEAD = ["rank", "what it means"];
export const PLACES_HEAD = ["place", "what it means"];

const rowsOf = (table: Readonly<Record<string, { readonly means: string }>>): string[][] =>
  Object.entries(table).map(([name, { means }]) => [name, means]);

export const rankRows = (): string[][] => rowsOf(RANKS);
export const placeRows = (): string[][] => rowsOf(PLACES);
