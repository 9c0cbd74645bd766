/**
 * The typefaces of the images: one family a script, all cut for text and related in weight. */
import type { Script } from "../../contract/languages.ts";

export interface Face {
  /** Families in the order in which Pango looks for a character. */
  readonly families: readonly string[];
  /** Distance of the lines, as a share of what the font asks for: display sizes want less air than text. */
  readonly leading: number;
  /** Size, as a share of Latin's: scripts with small bodies are set larger to look alike. */
  readonly scale: number;
}

const LATIN: Face = { families: ["Source Serif 4"], leading: 0.88, scale: 1 };

/** `other` stands for scripts without a face here, some of which Source Serif covers, such as Greek. */
const FACES: Readonly<Record<Script, Face>> = {
  latin: LATIN,
  cyrillic: LATIN,
  other: LATIN,
  // The Latin letters of this Naskh have no serifs, so those of Source Serif come first.
  arabic: { families: ["Source Serif 4", "Noto Naskh Arabic"], leading: 0.92, scale: 1.12 },
  hebrew: { families: ["Noto Serif Hebrew"], leading: 1.06, scale: 0.96 },
  devanagari: { families: ["Noto Serif Devanagari"], leading: 0.9, scale: 1 },
  bengali: { families: ["Noto Serif Bengali"], leading: 0.9, scale: 1.04 },
  telugu: { families: ["Noto Serif Telugu"], leading: 1.06, scale: 0.96 },
};

export function faceOf(script: Script): Face {
  return FACES[script];
}

/** A face's own families, then every other one: Pango looks for a missing character along this list. */
export function familiesFrom(face: Face): string {
  const all = Object.values(FACES).flatMap(({ families }) => families);
  return [...new Set([...face.families, ...all])].join(",");
}
