/** The findings of the audit: each names a kind, a page or file, and a detail. */
import { printable } from "../util/text.ts";

/** The remedy for each kind of finding. */
export const ADVICE = {
  "page missing": "render again; if it is still missing, its route in src/pages does not make it",
  "page not planned":
    "build again, which removes pages of an earlier site; list the page of an integration under `unlisted`",
  "page unreadable": "check the disk and the permissions of the output folder",
  attribution:
    "show one visible link with data-attribution in each page's footer, to the service or to ATTRIBUTION_URL",
  "broken link": "fix the link, or its target",
  "unsafe link": "remove it: a link must not run code",
  "id twice": "give each element its own id",
  "quote missing": "render again; if it is still missing, its template omits it",
  "quote not planned": "render again; if it remains, its template shows quotes of another page",
  "quote twice": "its template must show each quote once",
  "quote out of order": "its template must keep the order it is given",
  "quote markup": "keep the article's id, data-pk, lang and dir as src/components/quote has them",
  policy:
    "no page may widen it with `Astro.csp`; name an origin under `allow` in site/config.ts (docs/recipes.md); put a script or style into a file, or add its digest; give the audit the VOTE_BASE_URL of the render",
  secret: "publish nothing, replace the credential, and find out how it got there",
  "invalid HTML": "fix the template: browsers interpret such markup differently",
  "style sheet missing":
    "start the build from the folder's name as the file system spells it, and build again (docs/platforms.md); style the class in site/styles.css where a component of your own replaced the sheet",
  "too heavy": "make it smaller, or raise its budget in site/config.ts",
  "heavy with names":
    "only a warning: the service has many tags or authors; `minTagQuotes` leaves small tags out",
  double:
    "only a warning: search engines show one of the pages; give each page of yours a title and a description of its own",
  "request elsewhere":
    "serve it from the site itself, or name its origin under `allow` in site/config.ts (docs/recipes.md): a visit sends no other request",
  "hidden from search": "remove the noindex, or list the page under `unlisted` in site/config.ts",
  "unsafe file name": "rename it: some hosts and systems cannot store it",
  feed: "fix the feed: feed readers refuse what the specification does not allow",
  sitemap: "fix src/layouts/sitemap.ts: search engines ignore a sitemap with errors",
  "robots.txt":
    "fix the file that makes it: site/pages/robots.txt.ts if the site has one, else src/pages/robots.txt.ts",
  manifest: "fix src/pages/manifest.webmanifest.ts: without it browsers do not install the site",
  oEmbed: "fix src/site/embeds.ts: other sites use its content unchanged",
  "API file": "change the file or the schema, so that they match",
  "host limit": "set `quotePages` lower, or `hostLimits` for a larger plan (docs/hosts.md)",
  "build report": "build again: build.json does not describe this site",
} as const;

export type FindingKind = keyof typeof ADVICE;

/** Whether a finding of this kind is reported and does not refuse the site. */
export const isWarning = (kind: FindingKind): boolean =>
  kind === "heavy with names" || kind === "double";

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
