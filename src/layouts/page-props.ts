/** The properties of a page that its layout needs. */
import type { Script } from "../contract/languages.ts";
import type { LetterSet } from "./letters.ts";
import type { Thing } from "../site/index.ts";
import type { Locale } from "../i18n/locale.ts";

/** The same page in another language. */
export interface Alternate {
  /** BCP 47. */
  readonly hreflang: string;
  readonly path: string;
}

/** What a page of a fork must say: its title. */
export type PageInput = Omit<PageProps, "locale" | "path"> &
  Partial<Pick<PageProps, "locale" | "path">> & {
    /** Code of the page's language; the site's where it is left out. */
    readonly language?: string | undefined;
  };

export interface PageProps {
  readonly locale: Locale;
  /** Without the name of the site, which the layout adds; null on the first page. */
  readonly title: string | null;
  readonly description?: string | undefined;
  /** The page's own address, without the base path. */
  readonly path: string;
  /** Scripts of the quotes on the page: their typefaces are the ones it declares. */
  readonly scripts?: readonly Script[] | undefined;
  /** Scripts of the names on the page: their typefaces are declared too. */
  readonly nameScripts?: readonly Script[] | undefined;
  /** The set of letters that it shows in other scripts, or in all where it is small. */
  readonly letters?: LetterSet | undefined;
  readonly alternates?: readonly Alternate[] | undefined;
  /** The page's JSON-LD, for search engines. */
  readonly things?: readonly Thing[] | undefined;
  /** Folder of the page's own feed. */
  readonly feed?: string | undefined;
  /** Path of what other sites need to embed the page. */
  readonly oEmbed?: string | undefined;
  /** What the page is to those who link to it. */
  readonly type?: "website" | "article" | "profile" | undefined;
  /** Kept out of search engines. */
  readonly hidden?: boolean | undefined;
}
