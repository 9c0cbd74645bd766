/** Which files of the API there are, each with what it changes with. */
import { hasFeed } from "../feeds/picks.ts";
import { openSite } from "../open-site.ts";
import type { ListingKind } from "../types.ts";
import { randomFiles, randomKey } from "./random.ts";
import { placeFiles } from "./where.ts";

export function apiRoutes(kind: ListingKind): { params: { slug: string }; cacheKey: string }[] {
  return openSite()
    .listingPaths(kind)
    .filter(({ slug, page }) => page === 1 && hasFeed(kind, slug))
    .map(({ slug, digest }) => ({ params: { slug }, cacheKey: digest }));
}

export function randomRoutes(): { params: { file: string }; cacheKey: string }[] {
  return Array.from({ length: randomFiles(openSite()) }, (_, file) => ({
    params: { file: String(file) },
    cacheKey: randomKey(openSite(), file),
  }));
}

export function placeRoutes(): { params: { file: string } }[] {
  return placeFiles(openSite()).map((file) => ({ params: { file: String(file) } }));
}
