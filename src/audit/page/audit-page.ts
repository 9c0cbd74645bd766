/** Everything that one page is asked, in one reading of its tags. */
import type { Finding } from "../finding.ts";
import { DocumentFacts, isReference } from "../html/document.ts";
import { Structure } from "../html/structure.ts";
import { Tags } from "../html/tags.ts";
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

type Tell = (kind: Finding["kind"], detail: string) => void;

export function auditPage(bytes: Buffer, page: PageToAudit, rules: PageRules): PageVerdict {
  const findings: Finding[] = [];
  const report: Tell = (kind, detail) => {
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
  const tags = new Tags(html);
  // The content of a script or a sheet is known when its end tag is read.
  let raw: { readonly name: string; readonly type: string; readonly from: number } | null = null;
  while (tags.next()) {
    takers.structure.take(tags);
    takers.attribution.take(tags);
    takers.document.take(tags);
    takers.weight.take(tags);
    if (tags.closing) {
      if (raw?.name === tags.name) collect(fetched, contentOf(html, raw, tags.start));
      raw = null;
      continue;
    }
    takers.visibility.take(tags);
    for (let place = 0; place < tags.size; place++) {
      const name = tags.nameAt(place);
      if (name === "id") takeId(tags.valueAt(place), ids, report);
      else if (name === "style") collect(fetched, fetchedByStyle(tags.valueAt(place)));
      else if (isReference(name)) takers.document.takeReference(tags.valueAt(place));
    }
    if (tags.name === "article" && hasClass(tags, "quote")) quotes.take(tags, report);
    collect(links, linksOf(tags));
    collect(fetched, fetchedBy(tags));
    if (tags.name === "script" || tags.name === "style") {
      raw = { name: tags.name, type: tags.get("type") ?? "", from: tags.end };
    }
  }
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

/** The ids of a page. */
export function idsOf(html: string): Set<string> {
  const ids = new Set<string>();
  const tags = new Tags(html);
  while (tags.next()) {
    const id = tags.closing ? undefined : tags.get("id");
    if (id !== undefined) ids.add(id);
  }
  return ids;
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

function takeId(id: string, ids: Set<string>, report: Tell): void {
  if (ids.has(id)) report("id twice", `"${id}"`);
  ids.add(id);
}

function hasClass(tag: Tags, name: string): boolean {
  return (tag.get("class") ?? "").split(/\s+/).includes(name);
}

function checkLinks(
  links: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  path: string,
  rules: PageRules,
  report: Tell,
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
