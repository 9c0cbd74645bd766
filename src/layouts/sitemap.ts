/**
 * The sitemap: an index, and files of addresses with the days on which they last changed.
 *
 * General pages name the same page in other languages.
 *
 * @see https://www.sitemaps.org/protocol.html
 */
import {
  absolute,
  ADDRESSES_PER_FILE,
  alternatesOf,
  escapeHtml,
  isUnlisted,
  lastChanged,
  openSite,
  siteData,
} from "../site/index.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

let listed: readonly string[] | undefined;

/** Paths of the plan's pages, listed once for all files. */
function listedPaths(): readonly string[] {
  const copies = new Map(openSite().copyPairs());
  listed ??= openSite()
    .pages()
    .filter(({ kind, path }) => kind !== "embed" && isListed(path))
    .filter(({ kind, term }) => kind !== "quote" || !copies.has(Number(term)))
    .map(({ path }) => path)
    .toArray();
  return listed;
}

function isListed(path: string): boolean {
  return !isUnlisted(path);
}

/** The same general page in other languages. */
function translations(path: string): string {
  return alternatesOf(path)
    .map(([tag, to]) => `<xhtml:link rel="alternate" hreflang="${tag}" href="${absolute(to)}"/>`)
    .join("");
}

export function sitemapRoutes(): { params: { part: string } }[] {
  const files = Math.max(1, Math.ceil(listedPaths().length / ADDRESSES_PER_FILE));
  return Array.from({ length: files }, (_, index) => ({ params: { part: String(index + 1) } }));
}

export function sitemapIndex(): string {
  const files = sitemapRoutes().map(({ params: { part } }) => {
    const days = partOf(Number(part)).map((path) => lastChanged(path) ?? "");
    const latest = days.reduce((last, day) => (day > last ? day : last), "");
    return `<sitemap><loc>${absolute(`/sitemap-${part}.xml`)}</loc>${lastmod(latest)}</sitemap>`;
  });
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">${files.join("\n")}</sitemapindex>\n`;
}

/** @param part from 1 */
export function sitemapFile(part: number): string {
  const urls = partOf(part).map((path) => {
    const day = lastmod(lastChanged(path) ?? "");
    return `<url><loc>${escapeHtml(absolute(path))}</loc>${day}${translations(path)}</url>`;
  });
  return (
    `${HEAD}<urlset xmlns="${NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n` +
    `${urls.join("\n")}\n</urlset>\n`
  );
}

function partOf(part: number): readonly string[] {
  const paths = listedPaths();
  const some = paths.slice((part - 1) * ADDRESSES_PER_FILE, part * ADDRESSES_PER_FILE);
  // The last file has all pages of a fork: their number is known only after the routes of the sitemap.
  const isLast = part * ADDRESSES_PER_FILE >= paths.length;
  return isLast ? [...some, ...(siteData().paths ?? []).filter(isListed)] : some;
}

const lastmod = (day: string): string => (day === "" ? "" : `<lastmod>${day}</lastmod>`);
