/** The typefaces, by script: which families a page declares, and which files it asks for at once. */
import type { Script } from "../contract/languages.ts";

/** Latin and Cyrillic are one design, so one family; each other script has its own. */
export const FACES = {
  latin: "--font-source",
  cyrillic: "--font-source",
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

/** Files of a family in the order of `fonts.ts`; every other family has one. */
const FILE_OF: Partial<Record<Script, number>> = { cyrillic: 2 };

/** Scripts whose first quotes a page preloads: its own language's and its first quote's. */
const PRELOADED = 2;

/**
 * Addresses of the files to ask for before the style sheet is read.
 *
 * @param scripts the page's own first, then its quotes' in their order
 */
export function preloadedFiles(
  scripts: readonly Script[],
  data: Readonly<Record<string, readonly { readonly src: readonly { readonly url: string }[] }[]>>,
): string[] {
  const first = [...new Set<Script>(["latin", ...scripts.slice(0, PRELOADED)])];
  const files = first.map((script) => data[FACES[script]]?.[FILE_OF[script] ?? 0]?.src[0]?.url);
  return [...new Set(files.filter((file) => file !== undefined))];
}
