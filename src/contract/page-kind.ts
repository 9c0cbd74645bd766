/** The kinds of pages that a site may have, as `build.json` counts them and `budgets.html` names them. */
export const PAGE_KINDS = [
  "home",
  "today",
  "tomorrow",
  "day",
  "calendar",
  "new",
  "feeds",
  "languages",
  "tags",
  "authors",
  "initial",
  "tag",
  "author",
  "language",
  "quote",
  "embed",
  "search",
  "favourites",
  "random",
  "api",
  "about",
  "build",
  "offline",
  "notFound",
  /** Pages of a fork or of an integration. */
  "other",
  /** Redirects at addresses of pages that moved. */
  "moved",
] as const;

export type SitePageKind = (typeof PAGE_KINDS)[number];
