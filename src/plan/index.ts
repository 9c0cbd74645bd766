/** The plan: which pages a site has, what each is made from, what was written last time, and what a site will cost. */
export * from "./estimate/limits.ts";
export * from "./estimate/size.ts";
export { shownLikes } from "./draft.ts";
export { openPlan } from "./open.ts";
export * from "./paths.ts";
export type { CardRow, ListingLabel, ListingRow, Plan } from "./plan.ts";
export { UNKNOWN_SLUG } from "./slug.ts";
export { changeDays, noteWritten } from "./written.ts";
