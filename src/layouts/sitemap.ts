/**
 * The sitemap: an index, and files of as many addresses as one may hold, each with the day it last changed.
 *
 * First pages of languages name each other as alternates; other pages have none.
 *
 * @see https://www.sitemaps.org/protocol.html
 */
import { isKnownLanguage, languageOf } from "../contract/languages.ts";
import {
  absolute,
  ADDRESSES_PER_FILE,
  lastChanged,
  openSite,
  siteData,
  siteSettings,
} from "../site/index.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

interface Listed {
  readonly path: string;
  /** A first page of a language. */
  readonly hasAlternates: boolean;
}

let listed: readonly Listed[] | undefined;

/** Gone through once: each file would otherwise begin at the first page again. */
function listedPages(): readonly Listed[] {
  if (listed !== undefined) return listed;
  const unlisted = new Set(siteSettings().site.unlisted);
  const pages: Listed[] = [];
  for (const { kind, path, number } of openSite().pages()) {
    if (kind === "embed" || unlisted.has(path)) continue;
    pages.push({ path, hasAlternates: kind === "language" && number === 1 });
  }
  return (listed = pages);
}

/** Names of the sitemap's files: 1, 2, … */
export function sitemapRoutes(): { params: { part: string } }[] {
  const files = Math.max(1, Math.ceil(listedPages().length / ADDRESSES_PER_FILE));
  return Array.from({ length: files }, (_, index) => ({ params: { part: String(index + 1) } }));
}

export function sitemapIndex(): string {
  const files = sitemapRoutes().map(({ params: { part } }) => {
    const days = partOf(Number(part)).map(({ path }) => lastChanged(path) ?? "");
    const latest = days.reduce((last, day) => (day > last ? day : last), "");
    return `<sitemap><loc>${absolute(`/sitemap-${part}.xml`)}</loc>${lastmod(latest)}</sitemap>`;
  });
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">${files.join("\n")}</sitemapindex>\n`;
}

/** @param part from 1 */
export function sitemapFile(part: number): string {
  const alternates = languageLinks();
  const urls = partOf(part).map(({ path, hasAlternates }) => {
    const day = lastmod(lastChanged(path) ?? "");
    return `<url><loc>${absolute(path)}</loc>${day}${hasAlternates ? alternates : ""}</url>`;
  });
  return (
    `${HEAD}<urlset xmlns="${NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n` +
    `${urls.join("\n")}\n</urlset>\n`
  );
}

function partOf(part: number): readonly Listed[] {
  const listed = listedPages();
  const pages = listed.slice((part - 1) * ADDRESSES_PER_FILE, part * ADDRESSES_PER_FILE);
  // How many pages a fork makes is known only after the routes of the sitemap are: its last file takes them all.
  return part * ADDRESSES_PER_FILE < listed.length ? pages : [...pages, ...ownPages()];
}

function ownPages(): Listed[] {
  const { unlisted } = siteSettings().site;
  const paths = (siteData().paths ?? []).filter((path) => !unlisted.includes(path));
  return paths.map((path) => ({ path, hasAlternates: false }));
}

const lastmod = (day: string): string => (day === "" ? "" : `<lastmod>${day}</lastmod>`);

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
