/** Tags, authors, languages and initials, as lists of them show them. */
import type { Language } from "../../contract/languages.ts";

/** A link to a listing: `/tag/<slug>/`, `/author/<slug>/`, `/language/<slug>/`. */
export interface TermLink {
  /** The commonest spelling; a language's own code. */
  readonly name: string;
  readonly slug: string;
}

/** A link with the number of quotes behind it. */
export interface TermCount extends TermLink {
  readonly quotes: number;
}

export interface LanguageCount extends TermCount {
  readonly language: Language;
}

/** Tags and authors that stand most often beside a term's quotes, in the order of the alphabet. */
export interface Related {
  readonly tags: readonly TermLink[];
  readonly authors: readonly TermLink[];
}

/** A group of `/authors/<slug>/`: a letter of any script, `漢` for all Han characters, `#` for digits and signs. */
export interface InitialLink {
  readonly label: string;
  readonly slug: string;
}

export interface Initial extends InitialLink {
  readonly authors: number;
  /** Pages of the group: `/authors/<slug>/`, `/authors/<slug>/2/`, … */
  readonly pages: number;
}
