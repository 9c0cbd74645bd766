/** The typefaces, by script: which families a page declares, and which files it asks for at once. */
import type { Script } from "../contract/languages.ts";

/** Each script has a family of its own. */
export const FACES = {
  latin: "--font-source",
  cyrillic: "--font-cyrillic",
  hebrew: "--font-hebrew",
  arabic: "--font-arabic",
  devanagari: "--font-devanagari",
  bengali: "--font-bengali",
  telugu: "--font-telugu",
  other: "--font-source",
} as const satisfies Readonly<Record<Script, string>>;

export type FaceVariable = (typeof FACES)[Script];

/** Every page has Latin on it, if only in the name of the site. */
export function facesFor(scripts: readonly Script[]): FaceVariable[] {
  return [...new Set<FaceVariable>([FACES.latin, ...scripts.map((script) => FACES[script])])];
}

/** Languages that the second file of Latin is for: with the first one alone, words would mix two faces. */
const EXTENDED = /^(?:az|cs|eo|et|hr|hu|lt|lv|pl|ro|sk|sl|sq|tr|vi)\b/;

/** Scripts whose first quotes a page preloads: its own language's and its first quote's. */
const PRELOADED = 2;

/**
 * Addresses of the files to ask for before the style sheet is read.
 *
 * @param tag of the page's language
 * @param scripts the page's own first, then its quotes' in their order
 */
export function preloadedFiles(
  tag: string,
  scripts: readonly Script[],
  data: Readonly<Record<string, readonly { readonly src: readonly { readonly url: string }[] }[]>>,
): string[] {
  const first = [...new Set<Script>(["latin", ...scripts.slice(0, PRELOADED)])];
  const files = first.map((script) => data[FACES[script]]?.[0]?.src[0]?.url);
  if (EXTENDED.test(tag)) files.push(data[FACES.latin]?.[1]?.src[0]?.url);
  return [...new Set(files.filter((file) => file !== undefined))];
}
