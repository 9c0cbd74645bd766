/** The typefaces of scripts: which families a page declares, which files it preloads, and their sources. */
import type { Script } from "../contract/languages.ts";

/** CSS variables of the families. */
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

/** Always with Latin, since every page has some. */
export function facesFor(scripts: readonly Script[]) {
  return [...new Set([FACES.latin, ...scripts.map((script) => FACES[script])])];
}

/** Languages that need the second Latin file: without it, words would mix two typefaces. */
const EXTENDED = /^(?:az|cs|eo|et|hr|hu|lt|lv|pl|ro|sk|sl|sq|tr|vi)\b/;

/** Number of scripts to preload: those of the page's language and of its first quote. */
const PRELOADED = 2;

/**
 * Addresses of the files to preload.
 *
 * @param tag of the page's language
 * @param scripts of the page's language, then of its quotes in order
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

/** A file of a typeface: one for each script, and a second one for Latin. */
export type FontSubset = Exclude<Script, "other"> | "latin-ext";

interface FontFile {
  /** Name of the family, and of its package of `@fontsource-variable`. */
  readonly name: string;
  readonly weight: string;
  /** Its characters, in the syntax of CSS. */
  readonly range: string;
}

const source = { name: "Source Serif 4", weight: "200 900" };

export const FONT_FILES: Readonly<Record<FontSubset, FontFile>> = {
  latin: {
    ...source,
    range:
      "U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215",
  },
  "latin-ext": {
    ...source,
    range:
      "U+100-130,U+132-151,U+154-2BA,U+2BD-2C5,U+2C7-2CC,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C4",
  },
  cyrillic: { ...source, range: "U+301,U+400-45F,U+490-491,U+4B0-4B1,U+2116" },
  hebrew: { name: "Noto Serif Hebrew", weight: "100 900", range: "U+590-5FF,U+20AA,U+FB1D-FB4F" },
  arabic: {
    name: "Noto Naskh Arabic",
    weight: "400 700",
    range: "U+600-6FF,U+750-77F,U+870-8FF,U+200C-200E,U+FB50-FDFF,U+FE70-FEFC",
  },
  devanagari: {
    name: "Noto Serif Devanagari",
    weight: "100 900",
    range: "U+900-97F,U+1CD0-1CF9,U+200C-200D,U+20B9,U+25CC,U+A830-A839,U+A8E0-A8FF",
  },
  bengali: {
    name: "Noto Serif Bengali",
    weight: "100 900",
    range: "U+964-965,U+980-9FE,U+1CD0-1CF7,U+200C-200D,U+25CC,U+A8F1",
  },
  telugu: {
    name: "Noto Serif Telugu",
    weight: "100 900",
    range: "U+964-965,U+C00-C7F,U+200C-200D,U+25CC",
  },
};

/** The import specifier of a file. */
export function fontFile(subset: FontSubset): string {
  const family = FONT_FILES[subset].name.toLowerCase().replaceAll(" ", "-");
  return `@fontsource-variable/${family}/files/${family}-${subset}-wght-normal.woff2`;
}
