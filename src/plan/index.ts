/** The plan: the pages of a site, what each contains, when each changed, and the estimate of the site's size. */
export { costOf, drawnShape } from "./estimate/drawn.ts";
export * from "./estimate/limits.ts";
export * from "./estimate/size.ts";
export * from "./listed-files.ts";
export {
  LINK_FIELDS,
  linkedQuote,
  shownLikes,
  shownQuote,
  type CardField,
  type LinkField,
  type ShownQuote,
} from "./card.ts";
export { findCopies, type CopyGroup } from "./copies.ts";
export { factsFinder } from "./author-facts.ts";
export { corrector, type Corrector } from "./correct.ts";
export type { InitialGroup } from "./initials.ts";
export { openPlan } from "./open.ts";
export * from "./paths.ts";
export type { CardRow, ListingLabel, ListingRow, Plan } from "./plan.ts";
export { UNKNOWN_SLUG } from "./slug.ts";
export { planVersion } from "./version.ts";
export { readChangeDays, recordPages } from "./change-days.ts";
