/**
 * The sitemap by its protocol, and against the site: every address is a page, every page that may be found is in it.
 *
 * @see https://www.sitemaps.org/protocol.html
 */
import { isW3cDate } from "../files/dates.ts";
import { childrenOf, childText, parseXml, type Element } from "../files/xml.ts";
import { targetOf, type SiteAddress } from "../page/links.ts";

/** The protocol's limits of one file. */
const MOST_ADDRESSES = 50_000;
const MOST_BYTES = 50 * 1024 * 1024;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export const SITEMAP_INDEX = "sitemap-index.xml";

export interface SitemapSite extends SiteAddress {
  readonly hasFile: (file: string) => boolean;
  /** Null where there is no such file. */
  readonly read: (file: string) => string | null;
}

type ReportFault = (fault: string) => void;

/**
 * @param report hears of each fault, with the file it is in
 * @returns the pages that are listed; null where there is no sitemap
 */
export function auditSitemaps(
  site: SitemapSite,
  report: (file: string, fault: string) => void,
): ReadonlySet<string> | null {
  if (!site.hasFile(SITEMAP_INDEX)) return null;
  const listed = new Set<string>();
  const inIndex = (fault: string): void => report(SITEMAP_INDEX, fault);
  for (const entry of entriesOf(SITEMAP_INDEX, "sitemapindex", site, inIndex)) {
    const file = fileOfEntry(entry, site, inIndex);
    if (file !== null) auditSitemap(file, site, (fault) => report(file, fault), listed);
  }
  return listed;
}

function auditSitemap(
  file: string,
  site: SitemapSite,
  reportFault: ReportFault,
  listed: Set<string>,
): void {
  for (const entry of entriesOf(file, "urlset", site, reportFault)) {
    const page = fileOfEntry(entry, site, reportFault);
    if (page === null) continue;
    if (!page.endsWith(".html")) reportFault(`${page} is no page`);
    else if (listed.has(page)) reportFault(`${page} is listed twice`);
    listed.add(page);
    for (const { attribs } of childrenOf(entry, "xhtml:link"))
      follow(attribs["href"] ?? "", site, reportFault);
  }
}

/** What a file of the sitemap lists; nothing where it cannot be read. */
function entriesOf(
  file: string,
  rootName: string,
  site: SitemapSite,
  reportFault: ReportFault,
): readonly Element[] {
  const text = site.read(file);
  if (text === null) return [];
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) reportFault(`it has ${bytes} bytes`);
  const root = parseXml(text, reportFault);
  if (root === null) return [];
  const { name, attribs } = root;
  const entries = childrenOf(root);
  if (name !== rootName) reportFault(`its root is <${name}>`);
  if (attribs["xmlns"] !== NAMESPACE) reportFault("it is not in the namespace of sitemaps");
  if (entries.length > MOST_ADDRESSES)
    reportFault(`it lists ${entries.length} addresses, and ${MOST_ADDRESSES} are allowed`);
  return entries;
}

/** The file that an entry's address leads to; null where it leads to none. */
function fileOfEntry(entry: Element, site: SitemapSite, reportFault: ReportFault): string | null {
  const modified = childText(entry, "lastmod");
  if (modified !== undefined && !isW3cDate(modified))
    reportFault(`"${modified}" is no date of a sitemap`);
  const address = childText(entry, "loc");
  if (address !== undefined) return follow(address.trim(), site, reportFault);
  reportFault(`an entry has no <loc>`);
  return null;
}

function follow(address: string, site: SitemapSite, reportFault: ReportFault): string | null {
  const isOfSite = address.startsWith(site.origin + site.base);
  const target = targetOf(address, "/", site);
  if (isOfSite && target.kind === "inside" && site.hasFile(target.file)) return target.file;
  reportFault(
    `${address} ${isOfSite ? "leads to no file" : "is no absolute address of this site"}`,
  );
  return null;
}
