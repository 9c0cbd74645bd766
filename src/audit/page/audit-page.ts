/** Everything that one page is asked, in one reading of its tags. */
import type { Finding } from "../finding.ts";
import { DocumentFacts, isReference } from "../html/document.ts";
import { Structure } from "../html/structure.ts";
import { readTags, type Tag } from "../html/tags.ts";
import { Attribution } from "./attribution.ts";
import { isElsewhere, linksOf, targetOf } from "./links.ts";
import { QuotesOnPage } from "./quotes.ts";
import { fetchedBy, fetchedByScript, fetchedByStyle } from "./resources.ts";
import type { ForeignFragment, PageRules, PageToAudit } from "./rules.ts";
import { Visibility } from "./visibility.ts";
import { Weight } from "./weight.ts";

export interface PageVerdict {
  readonly findings: readonly Finding[];
  readonly fragments: readonly ForeignFragment[];
}

type Report = (kind: Finding["kind"], detail: string) => void;

export function auditPage(bytes: Buffer, page: PageToAudit, rules: PageRules): PageVerdict {
  const findings: Finding[] = [];
  const report: Report = (kind, detail) => {
    findings.push({ kind, page: page.path, detail });
  };
  const html = bytes.toString("utf8");
  const ids = new Set<string>();
  const links = new Set<string>();
  const fetched = new Set<string>();
  const quotes = new QuotesOnPage();
  const takers = {
    structure: new Structure(),
    attribution: new Attribution(html),
    document: new DocumentFacts(html),
    visibility: new Visibility(),
    weight: new Weight(html),
  };
  // The content of a script or a sheet is known when its end tag is read.
  let raw: { readonly name: string; readonly type: string; readonly from: number } | null = null;
  readTags(html, (tag) => {
    takers.structure.take(tag);
    takers.attribution.take(tag);
    takers.document.take(tag);
    takers.weight.take(tag);
    if (tag.closing) {
      if (raw?.name === tag.name) collect(fetched, contentOf(html, raw, tag.start));
      raw = null;
      return;
    }
    takers.visibility.take(tag);
    for (const name of tag.names) {
      if (name === "id") takeId(tag.get(name) ?? "", ids, report);
      else if (name === "style") collect(fetched, fetchedByStyle(tag.get(name) ?? ""));
      else if (isReference(name)) takers.document.takeReference(tag.get(name) ?? "");
    }
    if (tag.name === "article" && hasClass(tag, "quote")) quotes.take(tag, report);
    collect(links, linksOf(tag));
    collect(fetched, fetchedBy(tag));
    if (tag.name === "script" || tag.name === "style") {
      raw = { name: tag.name, type: tag.get("type") ?? "", from: tag.end };
    }
  });
  takers.structure.check(report);
  takers.document.check(bytes, ids, report);
  takers.visibility.check(page.unlisted, rules, report);
  if (rules.attribution !== null) takers.attribution.check(rules.attribution, report);
  if (page.budget !== null) {
    takers.weight.check(bytes.length, page.budget, page.path, rules, rules.weights, report);
  }
  quotes.compare(page.quotes, report);
  for (const address of fetched) {
    if (isElsewhere(address, rules, rules.mayAsk)) report("request elsewhere", address);
  }
  return { findings, fragments: checkLinks(links, ids, page.path, rules, report) };
}

/**
 * Whether an element of a page has an id. Text that reads like the attribute, as Astro writes it, is taken for one: it
 * cannot be in what Astro escapes, and most of the time would go into reading the tags of every page a second time.
 */
export function hasId(html: string, id: string): boolean {
  if (html.includes(` id="${id}"`)) return true;
  let found = false;
  readTags(html, (tag) => {
    found ||= !tag.closing && tag.get("id") === id;
  });
  return found;
}

function contentOf(
  html: string,
  { name, type, from }: { readonly name: string; readonly type: string; readonly from: number },
  to: number,
): string[] {
  const content = html.slice(from, to);
  return name === "style" ? fetchedByStyle(content) : fetchedByScript(content, type);
}

function collect(into: Set<string>, addresses: readonly string[]): void {
  for (const address of addresses) into.add(address);
}

function takeId(id: string, ids: Set<string>, report: Report): void {
  if (ids.has(id)) report("id twice", `"${id}"`);
  ids.add(id);
}

function hasClass(tag: Tag, name: string): boolean {
  return (tag.get("class") ?? "").split(/\s+/).includes(name);
}

function checkLinks(
  links: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  path: string,
  rules: PageRules,
  report: Report,
): ForeignFragment[] {
  const fragments: ForeignFragment[] = [];
  for (const link of links) {
    if (link.startsWith("#")) {
      if (!isFound(link.slice(1), ids)) report("broken link", `${link} has no target on the page`);
      continue;
    }
    const target = targetOf(link, path, rules);
    if (target.kind === "code") report("unsafe link", link);
    if (target.kind === "broken") report("broken link", `${link}: ${target.reason}`);
    if (target.kind !== "inside") continue;
    const { file, fragment } = target;
    if (!rules.hasFile(file)) report("broken link", `${link} leads to no file`);
    else if (fragment !== "" && file.endsWith(".html"))
      fragments.push({ file, fragment, page: path });
  }
  return fragments;
}

/** The empty fragment and `top` are the top of the page; what follows `:~:` is for the browser. */
function isFound(encoded: string, ids: ReadonlySet<string>): boolean {
  const [fragment = ""] = encoded.split(":~:");
  if (fragment === "" || fragment.toLowerCase() === "top" || ids.has(fragment)) return true;
  try {
    return ids.has(decodeURIComponent(fragment));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
}
