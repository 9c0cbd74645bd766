/** The tables of docs/search.md: the order of the answers. */
import { COST_MEANINGS, PLACE_MEANINGS, RANK_MEANINGS } from "../../src/islands/search/meanings.ts";
import { NAME_COSTS } from "../../src/islands/search/ranking.ts";

export const RANKS_HEAD = ["rank", "what it means"];
export const PLACES_HEAD = ["place", "what it means"];
export const COSTS_HEAD = ["", "cost", "what it means"];

export const rankRows = (): string[][] => Object.entries(RANK_MEANINGS);
export const placeRows = (): string[][] => Object.entries(PLACE_MEANINGS);
export const costRows = (): string[][] =>
  Object.entries(NAME_COSTS).map(([name, { cost }]) => [
    name,
    String(cost),
    COST_MEANINGS[name as keyof typeof NAME_COSTS],
  ]);
