/** The findings of the audit: each names a kind, a page or file, and a detail. */
import { printable } from "../contract/text.ts";

/** The remedy for each kind of finding. */
export const ADVICE = {
  "page missing": "render again; if it stays away, its route in src/pages makes no such page",
  "page not planned":
    "build again, which removes a page of an earlier site; list one that an integration writes under `unlisted`",
  "page unreadable": "look at the disk and at the rights of the output folder",
  attribution:
    "let one link with data-attribution be seen and clicked in each page's footer (src/layouts, the theme)",
  "broken link": "mend the link, or what it leads to",
  "unsafe link": "take it out: a link must not run code",
  "id twice": "give each element an id of its own",
  "quote missing": "render again; if it stays away, its template leaves a quote out",
  "quote not planned": "render again; if it stays, its template shows what it was not given",
  "quote twice": "its template must show each quote once",
  "quote out of order": "its template must keep the order it is given",
  "quote markup": "keep the article's id, data-pk, lang and dir as src/components/quote has them",
  secret: "publish nothing, change the credential, and find out how it got there",
  "invalid HTML": "mend the template: browsers guess what such markup means",
  "too heavy": "make it smaller, or raise its budget in site/config.ts",
  "heavy with names":
    "only a warning: the service has many tags or authors; `minTagQuotes` leaves small tags out",
  "request elsewhere":
    "serve it from the site itself: a visit must not be reported to another host",
  "hidden from search":
    "take the noindex away, or list the page under `unlisted` in site/config.ts",
  "unsafe file name": "rename it: some hosts and systems cannot hold it",
  feed: "mend the feed: readers of feeds refuse what their specification does not allow",
  sitemap: "mend src/layouts/sitemap.ts: search engines refuse or ignore what is wrong in it",
  "robots.txt": "mend src/pages/robots.txt.ts",
  manifest: "mend src/pages/manifest.webmanifest.ts: browsers do not install a site without it",
  oEmbed: "mend src/site/embeds.ts: other sites take what it says as it is",
  "API file": "mend the file or the schema, so that they agree",
  "host limit": "choose --fit, or set `hostLimits` for a larger plan (docs/hosts.md)",
  "build report": "build again: build.json does not describe this site",
} as const;

export type FindingKind = keyof typeof ADVICE;

/** Whether a finding of this kind is reported and does not refuse the site. */
export const isWarning = (kind: FindingKind): boolean => kind === "heavy with names";

export interface Finding {
  readonly kind: FindingKind;
  /** The page's address without the base path, or the file's name. */
  readonly page: string;
  readonly detail: string;
}

export type Report = (kind: FindingKind, detail: string) => void;

/** Counts findings by kind and keeps the first few: a fault of a template is on every page. */
export class Findings {
  static readonly KEPT = 10;
  readonly counts: Partial<Record<FindingKind, number>> = {};
  readonly kept: Finding[] = [];
  /** Without warnings. */
  total = 0;

  add(finding: Finding): void {
    const { kind } = finding;
    const count = (this.counts[kind] ?? 0) + 1;
    this.counts[kind] = count;
    if (count <= Findings.KEPT) this.kept.push(finding);
    if (!isWarning(kind)) this.total++;
  }
}

const MAX_LINE = 160;

/** A finding as a line that is safe to print in a terminal. */
export function lineOf({ kind, page, detail }: Finding): string {
  return printable(`${kind}: ${page}${detail === "" ? "" : `: ${detail}`}`, MAX_LINE);
}
