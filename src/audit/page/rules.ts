/** What a page is held to, and what is known of it before it is read. */
import type { weighFiles } from "../files/weights.ts";
import type { Finding } from "../finding.ts";
import type { SiteAddress } from "./links.ts";

/** The settings that a page is compared with. */
export interface SiteRules extends SiteAddress {
  /** Address that the attribution must link to; null on the paid plan, which needs none. */
  readonly attribution: string | null;
  /** Origins that a page may send requests to when a reader acts, such as the one that takes votes. */
  readonly mayAsk: readonly string[];
}

export interface PageRules extends SiteRules {
  /** Whether the site has a file of this name. */
  readonly hasFile: (file: string) => boolean;
  readonly weights: ReturnType<typeof weighFiles>;
}

/** Most bytes: of markup as it is, of sheets and scripts as a host compresses them (gzip), of typefaces as they are. */
export interface Budget {
  readonly html: number;
  readonly css: number;
  readonly js: number;
  /** Those that the page preloads, and those that its sheets declare. */
  readonly fonts: number;
}

/** The kind of pages that a fork added by itself: neither the plan nor the sitemap lists them. */
export const OWN_KIND = "other";

export interface PageToAudit {
  /** The page's address, without the base path. */
  readonly path: string;
  /** Below the output folder. */
  readonly file: string;
  /** Ids of the quotes it should show, in order; null where the plan does not say. */
  readonly quotes: readonly number[] | null;
  /** Budget of the page; null where it has none. */
  readonly budget: Budget | null;
  /** Whether it is meant to stay out of search engines and the sitemap. */
  readonly unlisted: boolean;
  /** Such as `tag` and `about`, for `build.json`. */
  readonly kind: string;
}

/**
 * A fragment of another page, which is checked when that page is read: the file, NUL, which no file's name has, and the
 * fragment. A large site has half a million of them, which go from thread to thread.
 */
export type ForeignFragment = `${string}\0${string}`;

/** What a page or another file shows by itself. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly fragments: readonly ForeignFragment[];
}

/** How a finding names a file: a page by its address without the base path. */
export const pageOf = (file: string): string =>
  file.endsWith(".html") ? `/${file.replace(/(^|\/)index\.html$/, "$1")}` : file;
