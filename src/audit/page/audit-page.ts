/** Everything that one page is asked, in one reading of its tags. */
import type { Finding, Report } from "../finding.ts";
import { DocumentFacts } from "../html/document.ts";
import { Structure } from "../html/structure.ts";
import { readTags, type Tag } from "../html/tags.ts";
import { addressesOf, fetchedByScript, fetchedByStyle } from "./addresses.ts";
import { Attribution } from "./attribution.ts";
import { idIn, isElsewhere, targetOf, type Target } from "./links.ts";
import { QuotesOnPage } from "./quotes.ts";
import type { ForeignFragment, PageRules, PageToAudit, Verdict } from "./rules.ts";
import { Weight } from "./weight.ts";

const HIDES = /\bdisplay\s*:\s*none|\bvisibility\s*:\s*hidden/i;

/** Attributes whose value names ids. */
const NAMES_IDS = new Set(
  "for form list headers popovertarget aria-labelledby aria-describedby aria-details".split(" "),
);

export function auditPage(bytes: Buffer, page: PageToAudit, rules: PageRules): Verdict {
  const findings: Finding[] = [];
  const report: Report = (kind, detail) => {
    findings.push({ kind, page: page.path, detail });
  };
  const html = bytes.toString("utf8");
  const ids = new Set<string>();
  /** Values of such attributes. */
  const wanted = new Set<string>();
  const links = new Set<string>();
  const fetched = new Set<string>();
  const structure = new Structure();
  const attribution = new Attribution(html);
  const document = new DocumentFacts(html);
  const weight = new Weight(html);
  const quotes = new QuotesOnPage();
  const takeAddress = (address: string, isFetched: boolean): void => {
    links.add(address);
    if (isFetched) fetched.add(address);
  };
  const fetchAll = (addresses: readonly string[]): void => {
    for (const address of addresses) fetched.add(address);
  };
  /** @returns whether the attributes hide the element */
  const takeAttributes = (tag: Tag): boolean => {
    let isHidden = false;
    for (const name of tag.names) {
      if (name === "id") takeId(tag.get(name) ?? "", ids, report);
      else if (name === "hidden" || name === "inert") isHidden = true;
      else if (NAMES_IDS.has(name)) wanted.add(tag.get(name) ?? "");
      else if (name === "style") {
        const style = tag.get(name) ?? "";
        isHidden ||= HIDES.test(style);
        fetchAll(fetchedByStyle(style));
      }
    }
    return isHidden;
  };
  // The content of a script or a sheet is known when its end tag is read.
  let raw: { readonly name: string; readonly type: string; readonly from: number } | null = null;
  readTags(html, (tag) => {
    const { name } = tag;
    structure.take(tag);
    weight.take(tag);
    if (tag.closing) {
      if (name === "a") attribution.closeLink(tag.start);
      else if (name === "title") document.endTitle(tag.start);
      else if (raw?.name === name) {
        const content = html.slice(raw.from, tag.start);
        fetchAll(name === "style" ? fetchedByStyle(content) : fetchedByScript(content, raw.type));
        raw = null;
      }
      return;
    }
    document.take(tag);
    const isHidden = takeAttributes(tag);
    addressesOf(tag, takeAddress);
    attribution.take(tag, structure.open, isHidden);
    if (name === "article" && hasClass(tag, "quote")) quotes.take(tag, report);
    else if (name === "script" || name === "style")
      raw = { name, type: tag.get("type") ?? "", from: tag.end };
  });
  structure.check(report);
  document.check(bytes, page.unlisted, rules, report);
  for (const id of new Set([...wanted].flatMap((value) => value.split(/\s+/)))) {
    if (id !== "" && !ids.has(id))
      report("invalid HTML", `an attribute names "${id}", and nothing has that id`);
  }
  if (rules.attribution !== null) attribution.check(rules.attribution, report);
  if (page.budget !== null) {
    weight.check(bytes.length, page.budget, page.path, rules, report);
  }
  quotes.compare(page.quotes, report);
  for (const address of fetched) {
    if (isElsewhere(address, rules, rules.mayAsk)) report("request elsewhere", address);
  }
  return { findings, fragments: checkLinks(links, ids, page, rules, report) };
}

/**
 * Which of some ids no element of a page has. Text that reads like the attribute, as Astro writes it, is taken for one: it
 * cannot be in what Astro escapes, and most of the time would go into reading the tags of every page a second time.
 */
export function missingIds(html: string, ids: Iterable<string>): Set<string> {
  const missing = new Set(ids);
  for (const [, id = ""] of html.matchAll(/ id="([^"]*)"/g)) missing.delete(id);
  if (missing.size > 0) readTags(html, (tag) => void missing.delete(tag.get("id") ?? ""));
  return missing;
}

function takeId(id: string, ids: Set<string>, report: Report): void {
  const { size } = ids;
  if (ids.add(id).size === size) report("id twice", `"${id}"`);
}

const hasClass = (tag: Tag, name: string): boolean =>
  (tag.get("class") ?? "").split(/\s+/).includes(name);

function checkLinks(
  links: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  page: PageToAudit,
  rules: PageRules,
  report: Report,
): ForeignFragment[] {
  const fragments: ForeignFragment[] = [];
  for (const link of links) {
    const target: Target = link.startsWith("#")
      ? { kind: "inside", file: page.file, fragment: link.slice(1) }
      : targetOf(link, page.path, rules);
    if (target.kind === "code") report("unsafe link", link);
    if (target.kind === "broken") report("broken link", `${link}: ${target.reason}`);
    if (target.kind !== "inside") continue;
    const { file, fragment } = target;
    if (file === page.file) {
      if (!isFound(idIn(fragment), ids)) report("broken link", `${link} has no target on the page`);
    } else if (!rules.hasFile(file)) report("broken link", `${link} leads to no file`);
    else if (fragment !== "" && file.endsWith(".html")) fragments.push(`${file}\0${fragment}`);
  }
  return fragments;
}

/** @param fragment as it is written, or decoded */
function isFound(fragment: string, ids: ReadonlySet<string>): boolean {
  if (fragment === "" || ids.has(fragment)) return true;
  try {
    return ids.has(decodeURIComponent(fragment));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
}
