/**
 * Validates the sitemap by its protocol, and that each of its addresses is a page of the site.
 *
 * @see https://www.sitemaps.org/protocol.html
 */
import { isW3cDate } from "../files/dates.ts";
import { childrenOf, childText, parseXml, type Element } from "../files/xml.ts";
import { ownTarget, type SiteAddress } from "../page/links.ts";

/** Limits of one file. */
const MOST_ADDRESSES = 50_000;
const MOST_BYTES = 50 * 1024 * 1024;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export const SITEMAP_INDEX = "sitemap-index.xml";

interface SitemapSite extends SiteAddress {
  readonly hasFile: (file: string) => boolean;
  /** Returns null for a file that does not exist. */
  readonly read: (file: string) => string | null;
}

/** @returns the files of the listed pages; null where there is no sitemap */
export function auditSitemaps(
  site: SitemapSite,
  report: (file: string, fault: string) => void,
): ReadonlySet<string> | null {
  if (!site.hasFile(SITEMAP_INDEX)) return null;
  const listed = new Set<string>();
  for (const sitemap of entriesOf(SITEMAP_INDEX, "sitemapindex")) {
    const file = fileOfEntry(sitemap, SITEMAP_INDEX);
    if (file === null) continue;
    for (const entry of entriesOf(file, "urlset")) {
      const page = fileOfEntry(entry, file);
      if (page === null) continue;
      if (!page.endsWith(".html")) report(file, `${page} is no page`);
      else if (listed.has(page)) report(file, `${page} is listed twice`);
      listed.add(page);
      for (const { attribs } of childrenOf(entry, "xhtml:link"))
        follow(attribs["href"] ?? "", file);
    }
  }
  return listed;

  /** The entries of a sitemap file; none where it cannot be read. */
  function entriesOf(file: string, rootName: string): readonly Element[] {
    const text = site.read(file);
    if (text === null) return [];
    const bytes = Buffer.byteLength(text);
    if (bytes > MOST_BYTES) report(file, `it has ${bytes} bytes`);
    const root = parseXml(text, (fault) => report(file, fault));
    if (root === null) return [];
    const { name, attribs } = root;
    const entries = childrenOf(root);
    if (name !== rootName) report(file, `its root is <${name}>`);
    if (attribs["xmlns"] !== NAMESPACE) report(file, "it is not in the namespace of sitemaps");
    if (entries.length > MOST_ADDRESSES)
      report(file, `it lists ${entries.length} addresses, and ${MOST_ADDRESSES} are allowed`);
    return entries;
  }

  /** The file at an entry's address; null where there is none. */
  function fileOfEntry(entry: Element, file: string): string | null {
    const modified = childText(entry, "lastmod");
    if (modified !== undefined && !isW3cDate(modified))
      report(file, `"${modified}" is no date of a sitemap`);
    const address = childText(entry, "loc");
    if (address !== undefined) return follow(address.trim(), file);
    report(file, "an entry has no <loc>");
    return null;
  }

  function follow(address: string, file: string): string | null {
    const target = ownTarget(address, site);
    if (typeof target !== "string") return target.file;
    report(file, `${address} ${target}`);
    return null;
  }
}
