/**
 * The sitemap by its protocol, and against the site: every address is a page, every page that may be found is in it.
 *
 * @see https://www.sitemaps.org/protocol.html
 */
import type { Report } from "../finding.ts";
import { isW3cDate } from "../files/dates.ts";
import { childText, NotXml, parseXml, type Element } from "../files/xml.ts";
import { targetOf, type SiteAddress } from "../page/links.ts";

/** The protocol's limits of one file. */
const MOST_ADDRESSES = 50_000;
const MOST_BYTES = 50 * 1024 * 1024;

export const SITEMAP_INDEX = "sitemap-index.xml";

export interface SitemapSite extends SiteAddress {
  readonly hasFile: (file: string) => boolean;
  /** Null where there is no such file. */
  readonly read: (file: string) => Buffer | null;
}

/**
 * @param report hears of each fault, with the file it is in
 * @returns the pages that are listed; null where there is no sitemap
 */
export function auditSitemaps(
  site: SitemapSite,
  report: (file: string) => Report,
): ReadonlySet<string> | null {
  const listed = new Set<string>();
  const index = readXml(SITEMAP_INDEX, site, report(SITEMAP_INDEX));
  if (index === null) return site.hasFile(SITEMAP_INDEX) ? listed : null;
  const reportFault = (detail: string): void => report(SITEMAP_INDEX)("sitemap", detail);
  if (index.name !== "sitemapindex") reportFault(`its root is <${index.name}>`);
  if (index.children.length > MOST_ADDRESSES)
    reportFault(`it lists ${index.children.length} files`);
  for (const entry of index.children) {
    const file = fileOfEntry(entry, site, reportFault);
    if (file !== null) auditSitemap(file, site, report(file), listed);
  }
  return listed;
}

function auditSitemap(file: string, site: SitemapSite, report: Report, listed: Set<string>): void {
  const reportFault = (detail: string): void => report("sitemap", detail);
  const root = readXml(file, site, report);
  if (root === null) return;
  if (root.name !== "urlset") reportFault(`its root is <${root.name}>`);
  const { length } = root.children;
  if (length > MOST_ADDRESSES)
    reportFault(`it lists ${length} addresses, and ${MOST_ADDRESSES} are allowed`);
  for (const entry of root.children) {
    const page = fileOfEntry(entry, site, reportFault);
    if (page === null) continue;
    if (!page.endsWith(".html")) reportFault(`${page} is no page`);
    else if (listed.has(page)) reportFault(`${page} is listed twice`);
    listed.add(page);
    for (const { name, attributes } of entry.children) {
      if (name === "xhtml:link") follow(attributes["href"] ?? "", site, reportFault);
    }
  }
}

/** The file that an entry's address leads to; null where it leads to none. */
function fileOfEntry(
  entry: Element,
  site: SitemapSite,
  reportFault: (fault: string) => void,
): string | null {
  const modified = childText(entry, "lastmod");
  if (modified !== undefined && !isW3cDate(modified))
    reportFault(`"${modified}" is no date of a sitemap`);
  const address = childText(entry, "loc");
  if (address === undefined) {
    reportFault(`an entry has no <loc>`);
    return null;
  }
  return follow(address.trim(), site, reportFault);
}

function follow(
  address: string,
  site: SitemapSite,
  reportFault: (fault: string) => void,
): string | null {
  if (!address.startsWith(site.origin + site.base)) {
    reportFault(`${address} is no absolute address of this site`);
    return null;
  }
  const target = targetOf(address, "/", site);
  if (target.kind === "inside" && site.hasFile(target.file)) return target.file;
  reportFault(`${address} leads to no file`);
  return null;
}

function readXml(file: string, site: SitemapSite, report: Report): Element | null {
  const bytes = site.read(file);
  if (bytes === null) return null;
  if (bytes.length > MOST_BYTES) report("sitemap", `it has ${bytes.length} bytes`);
  try {
    return parseXml(bytes.toString("utf8"));
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
    report("sitemap", `it is not well-formed: ${error.message}`);
    return null;
  }
}
