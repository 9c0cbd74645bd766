/** The budget of each kind of page, in bytes. */
import { languageOf } from "../../contract/languages.ts";
import type { SitePageKind } from "../../contract/page-kind.ts";
import type { Budget } from "./rules.ts";

/** Bytes of a page without quotes: head, menu, policy, footer. */
const FRAME = 30_000;
/** Bytes of a card in a list: markup, author, tags, vote. */
const A_QUOTE = 2_400;

/** Bytes of HTML, at least one and a half times the usual size. Indexes grow with the collection. */
const HTML: Readonly<Partial<Record<SitePageKind, number>>> = {
  home: FRAME + 20 * A_QUOTE,
  today: FRAME + 50 * A_QUOTE,
  tomorrow: FRAME + 50 * A_QUOTE,
  day: FRAME + 50 * A_QUOTE,
  new: FRAME + 60 * A_QUOTE,
  calendar: 90_000,
  tags: 400_000,
  authors: 120_000,
  initial: 120_000,
  search: 90_000,
  quote: FRAME,
  offline: FRAME,
  embed: 6_000,
};

const LISTINGS = ["tag", "author", "language"];

/** Pages that show names in many scripts, with typefaces cut to those names; and the bytes of these and of Latin. */
const SUBSET_PAGES = ["home", "languages", "authors", "search"];
const SUBSET_FONTS = 140_000;

interface BudgetSettings {
  readonly perPage: number;
  /** The language of the interface. */
  readonly language: string;
  /** `html` multiplies the bytes of HTML of each kind. */
  readonly budgets: Budget;
}

/** A kind without a budget of its own gets twice that of a page without quotes. */
export function budgetFor(
  kind: SitePageKind,
  { perPage, budgets, language }: BudgetSettings,
): Budget {
  const listing = LISTINGS.includes(kind) ? FRAME + perPage * A_QUOTE : undefined;
  const hasSubset = SUBSET_PAGES.includes(kind) && languageOf(language).script === "latin";
  const html = Math.round((listing ?? HTML[kind] ?? 2 * FRAME) * budgets.html);
  const fonts = hasSubset ? Math.min(SUBSET_FONTS, budgets.fonts) : budgets.fonts;
  return { html, css: budgets.css, js: budgets.js, fonts };
}
