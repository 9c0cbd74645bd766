/** The rules for pages, the plan's expectations of one page, and what the audit of one file returns. */
import type { Allow } from "../../contract/allow.ts";
import type { weighFiles } from "../files/weights.ts";
import type { Finding } from "../finding.ts";
import type { SiteAddress } from "./links.ts";

export interface SiteRules extends SiteAddress {
  /** Address that the attribution must link to; null on the paid plan, which needs none. */
  readonly attribution: string | null;
  /** Origins that a page may send requests to when a reader acts, such as the one that takes votes. */
  readonly mayAsk: readonly string[];
  /**
   * Origin of the service that the quotes came from, to which votes go unless a setting of the render says otherwise; null for
   * the embedded collection. The policy may name it, though no page may ask it for a file.
   */
  readonly service: string | null;
  /** Origins that pages may load from, by kind. */
  readonly allow: Allow;
}

export interface PageRules extends SiteRules {
  readonly hasFile: (file: string) => boolean;
  readonly weights: ReturnType<typeof weighFiles>;
}

/** Maximum bytes of a page: style sheets and scripts compressed with gzip, markup and fonts uncompressed. */
export interface Budget {
  readonly html: number;
  readonly css: number;
  readonly js: number;
  /** Fonts that the page preloads, and those that its style sheets declare. */
  readonly fonts: number;
}

/** Kind of the pages that a fork adds: neither the plan nor the sitemap lists them. */
export const OWN_KIND = "other";

export interface PageToAudit {
  /** Address, without the base path. */
  readonly path: string;
  /** Path below the output folder. */
  readonly file: string;
  /** Ids of the quotes that the page must show, in order; null where the plan does not list them. */
  readonly quotes: readonly number[] | null;
  /** Tags of the languages of these quotes, where the plan lists them; `und` may be any. */
  readonly langs: readonly string[];
  readonly budget: Budget | null;
  /** Whether search engines and the sitemap must not list the page. */
  readonly unlisted: boolean;
  /** File of the page that search engines list in the place of this one, which the sitemap leaves out; default: none. */
  readonly canonical?: string | undefined;
  /** Such as `tag` and `about`, for `build.json`. */
  readonly kind: string;
}

/**
 * A link to a fragment of another page: that page's file, NUL and the fragment. One string and not an object: a large site
 * has half a million of them, which threads send to each other.
 */
export type ForeignFragment = `${string}\0${string}`;

/** What the audit of one file found. */
export interface FileAudit {
  readonly findings: readonly Finding[];
  readonly fragments: readonly ForeignFragment[];
  /** Digests of the title and the description of a page in the index of search engines; none without a description. */
  readonly named?: readonly [title: string, description: string] | undefined;
}

/** The address of a page without the base path; the path of any other file. */
export const pageOf = (file: string): string =>
  file.endsWith(".html") ? `/${file.replace(/(^|\/)index\.html$/, "$1")}` : file;
