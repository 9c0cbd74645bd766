/** The plan: which pages a site has, what each is made from, what was written last time, and what a site will cost. */
export { describeFit, fitToHost } from "./estimate/fit.ts";
export { describeExcess, ESTIMATE_ERROR, excesses, sureExcesses } from "./estimate/limits.ts";
export { otherFiles } from "./estimate/other-files.ts";
export {
  grown,
  shapeOf,
  typicalShape,
  type SiteShape,
  type SizeSettings,
} from "./estimate/shape.ts";
export { sizeOfSite, type SiteSize } from "./estimate/size.ts";
export { ADDRESSES_PER_FILE, FEED_QUOTES, randomSetCount } from "./extras.ts";
export { AUTHORS_PER_PAGE, type PlanOptions } from "./fill.ts";
export type { Hidden } from "./hidden.ts";
export { shownLikes } from "./likes.ts";
export { openPlan } from "./open.ts";
export type { PageKind, PlannedPage } from "./page.ts";
export {
  dayPath,
  embedPath,
  FIXED_PATHS,
  fileOf,
  initialPath,
  listingPath,
  quotePath,
  termPath,
} from "./paths.ts";
export type { CardRow, ListingLabel, ListingRow, Plan } from "./plan.ts";
export { UNKNOWN_SLUG } from "./slug.ts";
export type { ListingKind, TermKind } from "./term.ts";
export { changeDays, noteWritten } from "./written.ts";
