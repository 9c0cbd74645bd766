/** What the bare pages read: the same snapshot and catalogue as the real ones, 30 quotes a page. */
import { openSiteWith } from "../../../../../src/site/open-site.ts";
import type { SiteReader } from "../../../../../src/site/reader.ts";
import type { ListingKind } from "../../../../../src/site/types.ts";

/** As in the floors. */
const PER_PAGE = 30;

let reader: SiteReader | undefined;

export function openSite(): SiteReader {
  const stateDir = process.env["STATE_DIR"] ?? ".commonplace";
  reader ??= openSiteWith({ stateDir, perPage: PER_PAGE, language: "en", date: "2026-11-20" });
  return reader;
}

/** For `getStaticPaths`: page 1 is the bare address. */
export function listingRoutes(kind: ListingKind): {
  params: { slug: string; page: string | undefined };
  cacheKey: string;
}[] {
  return openSite()
    .listingPaths(kind)
    .map(({ slug, page, digest }) => ({
      params: { slug, page: page === 1 ? undefined : String(page) },
      cacheKey: digest,
    }));
}
