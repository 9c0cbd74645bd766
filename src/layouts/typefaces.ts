/** The typefaces of scripts: which families a page declares, which files it preloads, and their sources. */
import type { Script } from "../contract/languages.ts";

/** CSS variables of the families. */
export const FACES = {
  latin: "--font-source",
  cyrillic: "--font-cyrillic",
  greek: "--font-greek",
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

/** Files for more letters of a script, in the order in which the family has them, and languages that need them in most lines. */
const EXTENSIONS = {
  latin: {
    "latin-ext": /^(?:az|cs|eo|et|hr|hu|lt|lv|pl|ro|sk|sl|sq|tr)\b/,
    vietnamese: /^vi\b/,
  },
  cyrillic: { "cyrillic-ext": /^(?:ba|cv|kk|ky|mn|os|sah|tg|tt)\b/ },
} as const;

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
  for (const script of ["latin", "cyrillic"] as const) {
    const needed = Object.values(EXTENSIONS[script]).findIndex((languages) => languages.test(tag));
    if (needed >= 0) files.push(data[FACES[script]]?.[needed + 1]?.src[0]?.url);
  }
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** A file of a typeface: one for each script, and those for more of its letters. */
export type FontSubset = Exclude<Script, "other"> | FontExtension;

export type FontExtension = "latin-ext" | "vietnamese" | "cyrillic-ext";

/** The files for more letters of a script. */
export function extensionsOf(script: Script): FontExtension[] {
  if (script !== "latin" && script !== "cyrillic") return [];
  return Object.keys(EXTENSIONS[script]) as FontExtension[];
}

interface FontFile {
  readonly script: Exclude<Script, "other">;
  /** Name of the family, and of its package of `@fontsource-variable`. */
  readonly name: string;
  readonly weight: string;
  /** Its characters, in the syntax of CSS. */
  readonly range: string;
}

const source = { script: "latin", name: "Source Serif 4", weight: "200 900" } as const;
const cyrillic = { ...source, script: "cyrillic" } as const;

export const FONT_FILES: Readonly<Record<FontSubset, FontFile>> = {
  latin: {
    ...source,
    range:
      "U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+300-301,U+303-304,U+308-309,U+323,U+329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215",
  },
  "latin-ext": {
    ...source,
    range:
      "U+100-101,U+104-10F,U+112-127,U+12A-130,U+132-151,U+154-167,U+16A-19F,U+1A2-1AE,U+1B1-2BA,U+2BD-2C5,U+2C7-2CC,U+1E00-1E9F,U+20A0-20AA,U+20AD-20C4",
  },
  // All letters of Vietnamese beside Latin's, so that it needs no third file; and the accents that it composes with them.
  vietnamese: {
    ...source,
    range:
      "U+102-103,U+110-111,U+128-129,U+168-169,U+1A0-1A1,U+1AF-1B0,U+302,U+306,U+31B,U+1EA0-1EF9,U+20AB",
  },
  cyrillic: { ...cyrillic, range: "U+301,U+400-45F,U+490-491,U+4B0-4B1,U+2116" },
  "cyrillic-ext": {
    ...cyrillic,
    range:
      "U+462-463,U+472-475,U+492-493,U+496-49B,U+4A0-4A3,U+4AA-4AB,U+4AE-4AF,U+4B2-4B3,U+4B6-4B7,U+4BA-4BB,U+4C0-4C2,U+4CF-4D1,U+4D4-4D9,U+4E2-4E3,U+4E6-4E9,U+4EE-4EF,U+4F2-4F3",
  },
  greek: { ...source, script: "greek", range: "U+374-375,U+37E,U+384-3E1" },
  hebrew: {
    script: "hebrew",
    name: "Noto Serif Hebrew",
    weight: "100 900",
    range: "U+590-5FF,U+20AA,U+FB1D-FB4F",
  },
  arabic: {
    script: "arabic",
    name: "Noto Naskh Arabic",
    weight: "400 700",
    range: "U+600-6FF,U+750-77F,U+870-8FF,U+200C-200E,U+FB50-FDFF,U+FE70-FEFC",
  },
  devanagari: {
    script: "devanagari",
    name: "Noto Serif Devanagari",
    weight: "100 900",
    range: "U+900-97F,U+1CD0-1CF9,U+200C-200D,U+20B9,U+25CC,U+A830-A839,U+A8E0-A8FF",
  },
  bengali: {
    script: "bengali",
    name: "Noto Serif Bengali",
    weight: "100 900",
    range: "U+964-965,U+980-9FE,U+1CD0-1CF7,U+200C-200D,U+25CC,U+A8F1",
  },
  telugu: {
    script: "telugu",
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
