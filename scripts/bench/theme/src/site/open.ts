/** The snapshot and the plan for the bare pages, with 30 quotes a page. */
import { type ListingKind, openSiteWith, type PageReader } from "../../../../../src/site/index.ts";

/** The same as in the floors. */
const PER_PAGE = 30;

let reader: PageReader | undefined;

export function openSite(): PageReader {
  const stateDir = process.env["STATE_DIR"] ?? ".commonplace";
  reader ??= openSiteWith({
    ...{ stateDir, perPage: PER_PAGE, language: "en", date: "2026-11-20" },
    // The bare pages show neither.
    ...{ quotePages: 0, related: false },
  });
  return reader;
}

/** For `getStaticPaths`: page 1 is the bare address. */
export function listingRoutes(kind: ListingKind) {
  return openSite()
    .pagesOf(kind)
    .map(({ term, number, cacheKey }) => ({
      params: { slug: term, page: number === 1 ? undefined : String(number) },
      cacheKey,
    }));
}
