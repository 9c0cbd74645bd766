/**
 * The typefaces, by script: which families a page declares, and which file it should fetch at once.
 *
 * A face that arrives late is not used on that page (`font-display: optional`): text never moves under the reader.
 */
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

/** Address of the file that most of a page is set in, to be asked for before the style sheet is read. */
export function firstFile(
  script: Script,
  data: Readonly<Record<string, readonly { readonly src: readonly { readonly url: string }[] }[]>>,
): string | undefined {
  return data[FACES[script]]?.[FILE_OF[script] ?? 0]?.src[0]?.url;
}
