/** Everything that one page is asked, in one reading of its tags. */
import { Attribution } from "./attribution.ts";
import type { Finding, FindingKind } from "../finding.ts";
import { targetOf, type SiteAddress } from "./links.ts";
import { QuotesOnPage } from "./quotes.ts";
import { Tags } from "./tags.ts";

export interface PageRules extends SiteAddress {
  /** Where the attribution must lead; null where none is asked for. */
  readonly attribution: string | null;
  /** Whether the site has a file of this name. */
  readonly hasFile: (file: string) => boolean;
}

/** A fragment of another page, which only that page can tell. */
export interface ForeignFragment {
  readonly file: string;
  readonly fragment: string;
  /** One page that has the link. */
  readonly page: string;
}

export interface PageVerdict {
  readonly findings: readonly Finding[];
  readonly fragments: readonly ForeignFragment[];
}

/** Attributes that hold an address, by element. Those of every element are under `*`. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  area: ["href"],
  link: ["href"],
  script: ["src"],
  img: ["src", "srcset"],
  source: ["src", "srcset"],
  iframe: ["src"],
  form: ["action"],
  button: ["formaction"],
  use: ["href"],
  image: ["href"],
  video: ["src", "poster"],
  audio: ["src"],
  "astro-island": ["component-url", "renderer-url", "before-hydration-url"],
};

/**
 * @param path the page's address, without the base path
 * @param planned ids of the quotes it should show, in order; null where the plan does not say
 */
export function auditPage(
  html: string,
  path: string,
  planned: readonly number[] | null,
  rules: PageRules,
): PageVerdict {
  const findings: Finding[] = [];
  const report = (kind: FindingKind, detail: string): void => {
    findings.push({ kind, page: path, detail });
  };
  const ids = new Set<string>();
  const links = new Set<string>();
  const quotes = new QuotesOnPage();
  const attribution = new Attribution(html);
  const tags = new Tags(html);
  while (tags.next()) {
    attribution.take(tags);
    if (tags.closing) continue;
    const id = tags.get("id");
    if (id !== undefined) {
      if (ids.has(id)) report("id twice", `"${id}"`);
      ids.add(id);
    }
    if (tags.name === "article" && hasClass(tags, "quote")) quotes.take(tags, report);
    collectLinks(tags, links);
  }
  if (rules.attribution !== null) attribution.check(rules.attribution, report);
  quotes.compare(planned, report);
  return { findings, fragments: checkLinks(links, ids, path, rules, report) };
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

function hasClass(tag: Tags, name: string): boolean {
  return (tag.get("class") ?? "").split(/\s+/).includes(name);
}

function collectLinks(tag: Tags, links: Set<string>): void {
  for (const attribute of ADDRESSES[tag.name] ?? []) {
    const value = tag.get(attribute);
    if (value === undefined) continue;
    if (attribute !== "srcset") links.add(value);
    // A comma inside a `data:` address is no separator, and such an address leads nowhere.
    else if (!value.includes("data:")) {
      for (const candidate of value.split(",")) links.add(candidate.trim().split(/\s/)[0] ?? "");
    }
  }
}

function checkLinks(
  links: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  path: string,
  rules: PageRules,
  report: (kind: FindingKind, detail: string) => void,
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
