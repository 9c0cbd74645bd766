/**
 * How each script is set: the sheet `src/styles/scripts.css` and the sizes on Open Graph images are made from this table.
 *
 * A script that the table lacks is set as Latin.
 */

import { tagPrefixes } from "../util/tag-prefixes.ts";

/** A script that the site has typefaces for. */
export type Script =
  | "latin"
  | "cyrillic"
  | "greek"
  | "hebrew"
  | "arabic"
  | "devanagari"
  | "bengali"
  | "telugu"
  | "other";

/** Scripts with a typeface, by ISO 15924 code, as `Intl` returns it. */
export const FACE_SCRIPTS: Readonly<Record<string, Script>> = {
  Latn: "latin",
  Cyrl: "cyrillic",
  Grek: "greek",
  Hebr: "hebrew",
  Arab: "arabic",
  Deva: "devanagari",
  Beng: "bengali",
  Telu: "telugu",
};

export interface ScriptSetting {
  /** Factor of the size, by which the script looks as large as Latin. */
  readonly optical: number;
  /** Line heights in folio; another theme adds the difference from Latin's to its own. */
  readonly leading: readonly [text: number, quote: number, heading: number];
  /** Whether letters may be spaced: not where they join, hang from a headline or fill squares. */
  readonly spaced: boolean;
  /** Where lines may break: by the rules of printers (CSS `line-break: strict`), or between words alone. */
  readonly breaks?: "strict" | "words";
  /** Typefaces with serifs of macOS and Linux, for scripts whose shapes differ by language. Browsers of Windows choose theirs. */
  readonly faces?: readonly string[];
  /** Whether these come before the packaged typefaces. */
  readonly ownFaceFirst?: boolean;
  /** Languages (BCP 47): those of ISO 639-1, and larger ones of CLDR. */
  readonly languages: readonly string[];
}

const words = (text: string): readonly string[] => text.split(" ");

const PLAIN: ScriptSetting = {
  optical: 1,
  leading: [1.5, 1.38, 1.08],
  spaced: true,
  languages: [],
};

/** With marks above and below the letters. */
const TALL = { optical: 1, leading: [1.7, 1.6, 1.35], spaced: false } as const;
const TALLER = { ...TALL, leading: [1.7, 1.62, 1.35] } as const;
const TALLEST = { ...TALL, leading: [1.8, 1.7, 1.45] } as const;

/** Letters that fill squares. */
const SQUARE = { ...TALLER, breaks: "strict" } as const;

/** By ISO 15924 code; `Aran` is the Nastaliq style of Arabic. */
export const SCRIPT_SETTINGS: Readonly<Record<string, ScriptSetting>> = {
  Latn: PLAIN,
  Hebr: { ...PLAIN, optical: 1.02, spaced: false, languages: words("he yi") },
  Arab: {
    ...{ optical: 1.12, leading: [1.8, 1.72, 1.45], spaced: false },
    languages: words("ar fa ps sd ug ckb"),
  },
  Aran: {
    ...{ optical: 1.12, leading: [1.9, 2.2, 1.9], spaced: false },
    faces: ["Noto Nastaliq Urdu", "Urdu Typesetting"],
    ownFaceFirst: true,
    languages: words("ur ks"),
  },
  Deva: { ...TALL, languages: words("hi mr ne sa bho mai") },
  Guru: { ...TALL, languages: words("pa") },
  Gujr: { ...TALL, languages: words("gu") },
  Thai: { ...TALL, languages: words("th") },
  Laoo: { ...TALL, languages: words("lo") },
  Khmr: { ...TALL, languages: words("km") },
  Ethi: { ...TALL, languages: words("am ti") },
  Beng: { ...TALLER, optical: 1.04, languages: words("bn as") },
  Orya: { ...TALLER, languages: words("or") },
  Taml: { ...TALLER, languages: words("ta") },
  Knda: { ...TALLER, languages: words("kn") },
  Mlym: { ...TALLER, languages: words("ml") },
  Sinh: { ...TALLER, languages: words("si") },
  Telu: { ...TALLEST, languages: words("te") },
  Mymr: { ...TALLEST, languages: words("my") },
  Tibt: { ...TALLEST, languages: words("bo dz") },
  Hans: {
    ...SQUARE,
    faces: ["Songti SC", "Noto Serif CJK SC"],
    languages: words("zh"),
  },
  Hant: {
    ...SQUARE,
    faces: ["Songti TC", "Noto Serif CJK TC"],
    languages: words("zh-Hant zh-TW zh-HK yue"),
  },
  Jpan: {
    ...SQUARE,
    faces: ["Hiragino Mincho ProN", "Noto Serif CJK JP"],
    languages: words("ja"),
  },
  Kore: {
    ...SQUARE,
    breaks: "words",
    faces: ["AppleMyungjo", "Noto Serif CJK KR"],
    languages: words("ko"),
  },
};

/** Typefaces of systems with serifs, for scripts without a packaged one. A system's own choice has none. */
export const SYSTEM_FACES: readonly string[] = [
  ...words(
    "Armenian Georgian Gurmukhi Gujarati Tamil Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Ethiopic",
  ).map((name) => `Noto Serif ${name}`),
  ...words("Tamil Kannada Malayalam").map((name) => `${name} MN`),
  "Sylfaen",
];

/** What a script adds to the line heights of Latin: of text, quotes and headings. */
export function moreLeading({ leading }: ScriptSetting): number[] {
  return leading.map((height, index) => Number((height - (PLAIN.leading[index] ?? 0)).toFixed(2)));
}

/** How a language is set, also one that the table lacks. @param tag BCP 47 */
export function scriptSetting(tag: string): ScriptSetting {
  const rows = Object.values(SCRIPT_SETTINGS);
  for (const prefix of tagPrefixes(tag)) {
    const row = rows.find(({ languages }) => languages.includes(prefix));
    if (row !== undefined) return row;
  }
  return SCRIPT_SETTINGS[writtenIn(tag)] ?? PLAIN;
}

/** ISO 15924 code of the script that a language is written in. */
function writtenIn(tag: string): string {
  try {
    return new Intl.Locale(tag).maximize().script ?? "Latn";
  } catch (error) {
    if (error instanceof RangeError) return "Latn";
    throw error;
  }
}
