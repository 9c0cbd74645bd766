/** The tables of docs/search.md: the order of the answers. */
import { NAME_COSTS, PLACES, RANKS } from "../../src/islands/search/ranking.ts";

export const RANKS_HEAD = ["rank", "what it means"];
export const PLACES_HEAD = ["place", "what it means"];
export const COSTS_HEAD = ["", "cost", "what it means"];

const rowsOf = (table: Readonly<Record<string, { readonly means: string }>>): string[][] =>
  Object.entries(table).map(([name, { means }]) => [name, means]);

export const rankRows = (): string[][] => rowsOf(RANKS);
export const placeRows = (): string[][] => rowsOf(PLACES);
export const costRows = (): string[][] =>
  Object.entries(NAME_COSTS).map(([name, { cost, means }]) => [name, String(cost), means]);
