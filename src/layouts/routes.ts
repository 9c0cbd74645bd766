/** Lists the pages of routes for `getStaticPaths()`. The address of page 1 has no number. */
import { hash } from "node:crypto";
import {
  ogImage,
  openSite,
  readerSets,
  staleSince,
  type GeneralPage,
  type PlannedPage,
} from "../site/index.ts";

/** @param also cache key of what the pages show besides the listing */
export function listingRoutes(pages: readonly PlannedPage[], also = "") {
  return pages.map((page) => ({
    params: { slug: page.term, page: page.number === 1 ? undefined : String(page.number) },
    cacheKey: keyOf(page) + also,
  }));
}

/** The general page of a kind in each language that has it. */
export const generalRoutes = (kind: GeneralPage["kind"]) =>
  openSite()
    .generalPages()
    .filter((page) => page.kind === kind)
    .map(({ code }) => ({ params: { language: code } }));

export function pageNumber(page: string | undefined): number {
  return page === undefined ? 1 : Number(page);
}

/** A quote's page also has its page to embed and the files of random quotes, which the plan does not know. */
export function quoteRoutes() {
  const site = openSite();
  const sets = hash("sha256", readerSets()).slice(0, 8);
  return site.pagesOf("quote").map((page) => ({
    params: { id: page.term },
    cacheKey: keyOf(page) + sets + (site.hasEmbed(Number(page.term)) ? "e" : ""),
  }));
}

export const embedRoutes = () =>
  [...openSite().embedPages()].map(({ term, cacheKey }) => ({ params: { id: term }, cacheKey }));

export const dayRoutes = () =>
  [...openSite().dayPages()].map((page) => ({
    params: { date: page.term },
    cacheKey: keyOf(page),
  }));

/** The cache key of a page: the plan's, with the Open Graph images and the stale date, which the plan does not know. */
function keyOf({ path, cacheKey }: PlannedPage): string {
  const square = ogImage(path, "square")?.src ?? "";
  return cacheKey + (staleSince() ?? "") + (ogImage(path)?.src ?? "") + square;
}
