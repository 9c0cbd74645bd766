/** What a page of each kind may weigh; the words of its quotes come on top. */
import { languageOf } from "../contract/languages.ts";
import type { Settings } from "../settings/settings.ts";
import type { Budget } from "../audit/page/weight.ts";

/** Of a page with no quote on it: the frame, the menu, the policy, the footer. */
const FRAME = 30_000;
/** Of a quote in a list: its markup, its author and tags, its vote. */
const A_QUOTE = 2_400;

/** Half as much again as pages weigh, or more. Indexes grow with the collection, up to what a person can still read. */
const HTML: Readonly<Record<string, number>> = {
  home: FRAME + 20 * A_QUOTE,
  today: FRAME + 50 * A_QUOTE,
  day: FRAME + 50 * A_QUOTE,
  new: FRAME + 60 * A_QUOTE,
  calendar: 60_000,
  tags: 400_000,
  authors: 120_000,
  initial: 120_000,
  search: 60_000,
  quote: FRAME,
  offline: FRAME,
  embed: 6_000,
};

const LISTINGS = ["tag", "author", "language"];

/** Pages that show other scripts in typefaces cut to their words, and what these may weigh with Latin and its accents. */
const SMALL_FACES = ["home", "languages", "authors"];
const FACES = 140_000;

/** @param kind of the page; one that is not known has the budget of a plain page, twice over */
export function budgetFor(kind: string, { perPage, budgets, language }: Settings["site"]): Budget {
  const listing = LISTINGS.includes(kind) ? FRAME + perPage * A_QUOTE : undefined;
  const isSmall = SMALL_FACES.includes(kind) && languageOf(language).script === "latin";
  const html = budgets.html[kind] ?? listing ?? HTML[kind] ?? 2 * FRAME;
  const fonts = isSmall ? Math.min(FACES, budgets.fonts) : budgets.fonts;
  return { html, css: budgets.css, js: budgets.js, fonts };
}
