/** The plan: which pages a site has, what each is made from, and what was written last time. */
export type { PageKind, PlannedPage, TermKind } from "./page.ts";
export { WrittenPages, type WrittenFile } from "./written.ts";
