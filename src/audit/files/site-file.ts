/** Audits a file that is not a page, by its extension. */
import { transform, type Visitor } from "lightningcss";
import { z } from "zod";
import { allowedOrigins } from "../../contract/allow.ts";
import type { Finding, FindingKind } from "../finding.ts";
import { readTags } from "../html/tags.ts";
import { isElsewhere, linkFault, ownTarget, targetOf } from "../page/links.ts";
import { addressesOf, fetchedByScript, fetchedByStyle } from "../page/addresses.ts";
import type { ForeignFragment, PageRules, FileAudit } from "../page/rules.ts";
import { API_FOLDER, type ApiCheck } from "./api.ts";
import { checkAtom, checkJsonFeed, checkRss, isJsonFeed } from "./feeds.ts";
import { readAs, readJson, type FileCheck } from "./file-check.ts";
import { parseXml } from "./xml.ts";

/** Other files are searched for secrets alone. `build.json` has its own check, and Pagefind's files have other tests. */
export const AUDITED = /^(?!build\.json$|pagefind\/).*\.(?:xml|json|css|m?js|svg|webmanifest)$/s;

export function auditFile(
  file: string,
  content: string,
  rules: PageRules,
  checkApi: ApiCheck,
): FileAudit {
  const findings: Finding[] = [];
  const fragments: ForeignFragment[] = [];
  const faultsOf = (kind: FindingKind) => (detail: string) => {
    findings.push({ kind, page: file, detail });
  };
  const own = new URL(rules.base + file, rules.origin);
  const checkAs = (kind: FindingKind): FileCheck => ({
    own,
    reportFault: faultsOf(kind),
    link: (address, what) => {
      const target = ownTarget(address, rules);
      if (typeof target === "string") faultsOf(kind)(`${what} ${target}: ${address}`);
      else if (target.fragment !== "" && target.file.endsWith(".html"))
        fragments.push(`${target.file}\0${target.fragment}`);
    },
  });
  if (file.endsWith(".xml")) auditXml(content, checkAs("feed"));
  else if (/\.(?:json|webmanifest)$/.test(file)) auditJson(file, content, checkAs, checkApi);
  else {
    const mayAsk = [...rules.mayAsk, ...allowedOrigins(rules.allow)];
    for (const address of fetchedFrom(file, content)) {
      if (isElsewhere(address, rules, mayAsk)) faultsOf("request elsewhere")(address);
    }
    if (file.endsWith(".css")) checkSheet(file, content, rules, faultsOf("broken link"));
  }
  return { findings, fragments };
}

/** Vite does not check an address that begins with a slash: the file or the base path may be missing. */
function checkSheet(
  filename: string,
  css: string,
  rules: PageRules,
  reportFault: (detail: string) => void,
): void {
  const take = (address: string): void => {
    const fault = linkFault(address, targetOf(address, `/${filename}`, rules), rules.hasFile);
    if (fault !== null) reportFault(fault);
  };
  const visitor: Visitor<never> = {
    Url: ({ url }) => take(url),
    Rule: { import: ({ value }) => take(value.url) },
  };
  transform({ filename, code: Buffer.from(css), errorRecovery: true, visitor });
}

/** Sitemaps have their own check; any other XML must be well-formed. */
function auditXml(content: string, check: FileCheck): void {
  if (/<(?:urlset|sitemapindex)[\s>]/.test(content.slice(0, 1_000))) return;
  const root = parseXml(content, check.reportFault);
  if (root?.name === "rss") checkRss(root, check);
  else if (root?.name === "feed") checkAtom(root, check);
}

function auditJson(
  file: string,
  content: string,
  checkAs: (kind: FindingKind) => FileCheck,
  checkApi: ApiCheck,
): void {
  const isApi = file.startsWith(API_FOLDER);
  const isManifest = file.endsWith(".webmanifest");
  const isEmbed = file.endsWith("/oembed.json");
  const check = checkAs(isManifest ? "manifest" : isEmbed ? "oEmbed" : isApi ? "API file" : "feed");
  const value = readJson(content, check.reportFault);
  if (value === undefined) return;
  if (isManifest) auditManifest(value, check);
  else if (isEmbed) auditOEmbed(value, check);
  else if (isApi) checkApi(file, value, check.reportFault);
  else if (file.endsWith("feed.json") || isJsonFeed(value)) checkJsonFeed(value, check);
}

/** Members that browsers need to install a site. */
const manifestSchema = z.object({
  name: z.string().min(1),
  start_url: z.string(),
  icons: z.array(z.object({ src: z.string() })).min(1),
});

function auditManifest(value: unknown, { own, reportFault, link }: FileCheck): void {
  const manifest = readAs(manifestSchema, value, reportFault);
  if (manifest === null) return;
  for (const address of [manifest.start_url, ...manifest.icons.map(({ src }) => src)])
    link(URL.parse(address, own)?.href ?? address, "its address");
}

/** @see https://oembed.com/ */
const oEmbedSchema = z.object({
  version: z.literal("1.0"),
  type: z.literal("rich"),
  title: z.string(),
  author_name: z.string(),
  author_url: z.string(),
  provider_url: z.string(),
  width: z.int().min(1),
  height: z.int().min(1),
  html: z.string(),
});

/** A quotation with a link, and one frame: nothing else, so that no text of a quote becomes markup. */
const FRAME =
  /^(?:<blockquote(?: [a-z]+="[^"<>]*")*>(?:[^<>]|<\/?p>|<br>|<a href="[^"<>]+">|<\/a>)*<\/blockquote>)?<iframe src="([^"<>]+)"(?: [a-z]+="[^"<>]*")*><\/iframe>$/;

function auditOEmbed(value: unknown, { reportFault, link }: FileCheck): void {
  const embed = readAs(oEmbedSchema, value, reportFault);
  if (embed === null) return;
  const [, address] = FRAME.exec(embed.html) ?? [];
  if (address === undefined) reportFault("its html is no frame");
  else link(address, "its frame");
  link(embed.author_url, "author_url");
  link(embed.provider_url, "provider_url");
}

function fetchedFrom(file: string, content: string): string[] {
  if (file.endsWith(".css")) return fetchedByStyle(content);
  if (!file.endsWith(".svg")) return fetchedByScript(content, "");
  const found = fetchedByStyle(content);
  const take = (address: string, isFetched: boolean): void => {
    if (isFetched) found.push(address);
  };
  readTags(content, (tag) => {
    if (!tag.closing) addressesOf(tag, take);
  });
  return found;
}
