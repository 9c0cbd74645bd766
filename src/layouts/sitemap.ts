/**
 * The sitemap: an index, and files of as many addresses as one may hold.
 *
 * First pages of languages name each other as alternates; all else stands alone.
 */
import { isKnownLanguage, languageOf } from "../contract/languages.ts";
import { absolute } from "../site/address.ts";
import { openSite } from "../site/open-site.ts";
import type { PlannedPage } from "../site/types.ts";

/** The protocol allows 50,000 addresses and 50 MB a file; smaller files are read sooner. */
export const ADDRESSES_PER_FILE = 20_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** Names of the sitemap's files: 1, 2, … */
export function sitemapRoutes(): { params: { part: string } }[] {
  const total = sum(openSite().pages(), isListed);
  const files = Math.max(1, Math.ceil(total / ADDRESSES_PER_FILE));
  return Array.from({ length: files }, (_, index) => ({ params: { part: String(index + 1) } }));
}

export function sitemapIndex(): string {
  const files = sitemapRoutes().map(
    ({ params }) => `<sitemap><loc>${absolute(`/sitemap-${params.part}.xml`)}</loc></sitemap>`,
  );
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">${files.join("\n")}</sitemapindex>\n`;
}

/** @param part from 1 */
export function sitemapFile(part: number): string {
  const alternates = languageLinks();
  const urls: string[] = [];
  let place = 0;
  const first = (part - 1) * ADDRESSES_PER_FILE;
  for (const page of openSite().pages()) {
    if (!isListed(page)) continue;
    if (place++ < first) continue;
    if (urls.length === ADDRESSES_PER_FILE) break;
    const links = page.kind === "language" && page.page === 1 ? alternates : "";
    urls.push(`<url><loc>${absolute(page.path)}</loc>${links}</url>`);
  }
  return (
    `${HEAD}<urlset xmlns="${NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n` +
    `${urls.join("\n")}\n</urlset>\n`
  );
}

function isListed(page: PlannedPage): boolean {
  return page.kind !== "notFound";
}

function languageLinks(): string {
  return openSite()
    .languages()
    .filter(({ slug }) => isKnownLanguage(slug))
    .map(({ slug }) => {
      const { tag } = languageOf(slug);
      return `<xhtml:link rel="alternate" hreflang="${tag}" href="${absolute(`/language/${slug}/`)}"/>`;
    })
    .join("");
}

function sum<T>(items: Iterable<T>, counts: (item: T) => boolean): number {
  let total = 0;
  for (const item of items) if (counts(item)) total++;
  return total;
}
