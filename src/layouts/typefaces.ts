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
