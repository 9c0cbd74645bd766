/** The plan: which pages a site has, what each is made from, what was written last time, and what a site will cost. */
export {
  describeExcess,
  describeFit,
  excesses,
  fitToHost,
  sureExcesses,
} from "./estimate/limits.ts";
export {
  grown,
  shapeOf,
  typicalShape,
  type SiteShape,
  type SizeSettings,
} from "./estimate/shape.ts";
export {
  ADDRESSES_PER_FILE,
  feedQuotes,
  hasFeed,
  randomSetCount,
  sizeOfSite,
  type SiteSize,
} from "./estimate/size.ts";
export { shownLikes, type Hidden } from "./draft.ts";
export { openPlan } from "./open.ts";
export {
  dayPath,
  embedPath,
  FIXED_PATHS,
  fileOf,
  initialPath,
  listingPath,
  quotePath,
  termPath,
  type ListingKind,
  type PageKind,
  type PlannedPage,
} from "./paths.ts";
export type { CardRow, ListingLabel, ListingRow, Plan } from "./plan.ts";
export { UNKNOWN_SLUG } from "./slug.ts";
export { changeDays, noteWritten } from "./written.ts";
