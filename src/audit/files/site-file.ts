/** What each file that is no page is asked, by its ending. */
import { z } from "zod";
import type { Finding, FindingKind } from "../finding.ts";
import { readTags } from "../html/tags.ts";
import { isElsewhere, targetOf } from "../page/links.ts";
import { fetchedBy, fetchedByScript, fetchedByStyle } from "../page/resources.ts";
import type { ForeignFragment, PageRules } from "../page/rules.ts";
import { API_FOLDER, type ApiSchema } from "./api.ts";
import type { FileCheck } from "./file-check.ts";
import { checkAtom } from "./atom.ts";
import { checkJsonFeed, isJsonFeed } from "./json-feed.ts";
import { checkOEmbed } from "./oembed.ts";
import { checkRss } from "./rss.ts";
import { NotXml, parseXml } from "./xml.ts";

export interface FileVerdict {
  readonly findings: readonly Finding[];
  readonly fragments: readonly ForeignFragment[];
}

/** Endings of the files that are read whole; the rest is searched for secrets alone. */
export const READ_WHOLE = /\.(?:xml|json|css|m?js|svg|webmanifest)$/;

/** Written by the build and judged by itself; or an engine's own, judged by what it finds. */
const NOT_OURS = /^(?:build\.json|pagefind\/.*)$/;

/** @param file below the output folder */
export function auditFile(
  file: string,
  content: string,
  rules: PageRules,
  api: () => ApiSchema,
): FileVerdict {
  const findings: Finding[] = [];
  const fragments: ForeignFragment[] = [];
  const faultsOf = (kind: FindingKind) => (detail: string) => {
    findings.push({ kind, page: file, detail });
  };
  if (NOT_OURS.test(file)) return { findings, fragments };
  const checkAs = (kind: FindingKind): FileCheck => ({
    reportFault: faultsOf(kind),
    isOwn: (address) => URL.parse(address)?.href === new URL(rules.base + file, rules.origin).href,
    link: (address, what) => {
      const fault = follow(address, file, rules, fragments);
      if (fault !== null) faultsOf(kind)(`${what} ${fault}: ${address}`);
    },
  });
  if (file.endsWith(".xml")) {
    auditXml(content, checkAs("feed"));
  } else if (file.endsWith(".webmanifest")) {
    auditManifest(content, new URL(rules.base + file, rules.origin), checkAs("manifest"));
  } else if (file.endsWith(".json")) {
    auditJson(file, content, checkAs, api);
  } else {
    for (const address of fetchedFrom(file, content)) {
      if (isElsewhere(address, rules, rules.mayAsk)) faultsOf("request elsewhere")(address);
    }
  }
  return { findings, fragments };
}

/** Sitemaps are read as a whole, elsewhere; any other XML must at least be some. */
function auditXml(content: string, check: FileCheck): void {
  if (/<(?:urlset|sitemapindex)[\s>]/.test(content.slice(0, 1_000))) return;
  try {
    const root = parseXml(content);
    if (root.name === "rss") checkRss(root, check);
    else if (root.name === "feed") checkAtom(root, check);
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
    check.reportFault(`it is not well-formed: ${error.message}`);
  }
}

const manifestSchema = z.object({
  name: z.string().min(1),
  start_url: z.string(),
  icons: z.array(z.object({ src: z.string() })).min(1),
});

/** What browsers install a site by: it leads to files of the site. */
function auditManifest(content: string, at: URL, { reportFault, link }: FileCheck): void {
  const read = z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        context.addIssue("it is no JSON");
        return z.NEVER;
      }
    })
    .pipe(manifestSchema)
    .safeParse(content);
  for (const { path, message } of read.error?.issues ?? [])
    reportFault([...path, message].map(String).join(": "));
  if (!read.success) return;
  const { start_url, icons } = read.data;
  for (const address of [start_url, ...icons.map(({ src }) => src)])
    link(new URL(address, at).href, "its address");
}

function auditJson(
  file: string,
  content: string,
  checkAs: (kind: FindingKind) => FileCheck,
  api: () => ApiSchema,
): void {
  const isApi = file.startsWith(API_FOLDER);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    checkAs(isApi ? "API file" : "feed").reportFault("it is no JSON");
    return;
  }
  if (file.endsWith("/oembed.json")) checkOEmbed(value, checkAs("oEmbed"));
  else if (isApi) api().check(file, value, checkAs("API file").reportFault);
  else if (file.endsWith("feed.json") || isJsonFeed(value)) checkJsonFeed(value, checkAs("feed"));
}

function fetchedFrom(file: string, content: string): string[] {
  if (file.endsWith(".css")) return fetchedByStyle(content);
  if (!file.endsWith(".svg")) return fetchedByScript(content, "");
  const found: string[] = fetchedByStyle(content);
  readTags(content, (tag) => {
    if (!tag.closing) found.push(...fetchedBy(tag));
  });
  return found;
}

/** Why an address leads nowhere; null where it does not. A fragment is left to the page that should have it. */
function follow(
  address: string,
  file: string,
  rules: PageRules,
  fragments: ForeignFragment[],
): string | null {
  if (!address.startsWith(rules.origin + rules.base)) return "is no absolute address of this site";
  const target = targetOf(address, `/${file}`, rules);
  if (target.kind !== "inside") return "cannot be followed";
  if (!rules.hasFile(target.file)) return "leads to no file";
  if (target.fragment !== "" && target.file.endsWith(".html")) {
    fragments.push({ file: target.file, fragment: target.fragment, page: file });
  }
  return null;
}
