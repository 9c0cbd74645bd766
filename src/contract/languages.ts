/**
 * Languages by the service's code, with their attributes for HTML.
 *
 * The service's code is a key, not a language tag: its "be" is Bengali, which HTML calls "bn".
 */
import { getOrCompute } from "../util/get-or-compute.ts";
import { FACE_SCRIPTS, type Script } from "./scripts.ts";

export type { Script } from "./scripts.ts";

export interface Language {
  /** Name in the language itself. */
  readonly name: string;
  /** BCP 47 tag, for `lang` and `hreflang`. */
  readonly tag: string;
  readonly dir: "ltr" | "rtl";
  readonly script: Script;
}

/** The contract's 13 codes (section 2), and `hi`, which the service sends without listing it. */
export const LANGUAGES = {
  en: { name: "English", tag: "en", dir: "ltr", script: "latin" },
  fr: { name: "Français", tag: "fr", dir: "ltr", script: "latin" },
  de: { name: "Deutsch", tag: "de", dir: "ltr", script: "latin" },
  it: { name: "Italiano", tag: "it", dir: "ltr", script: "latin" },
  pt: { name: "Português", tag: "pt", dir: "ltr", script: "latin" },
  ru: { name: "Русский", tag: "ru", dir: "ltr", script: "cyrillic" },
  es: { name: "Español", tag: "es", dir: "ltr", script: "latin" },
  tr: { name: "Türkçe", tag: "tr", dir: "ltr", script: "latin" },
  uk: { name: "Українська", tag: "uk", dir: "ltr", script: "cyrillic" },
  he: { name: "עברית", tag: "he", dir: "rtl", script: "hebrew" },
  ar: { name: "العربية", tag: "ar", dir: "rtl", script: "arabic" },
  be: { name: "বাংলা", tag: "bn", dir: "ltr", script: "bengali" },
  te: { name: "తెలుగు", tag: "te", dir: "ltr", script: "telugu" },
  hi: { name: "हिन्दी", tag: "hi", dir: "ltr", script: "devanagari" },
} as const satisfies Readonly<Record<string, Language>>;

/** A code of the table: a language of the interface. */
export type KnownLanguage = keyof typeof LANGUAGES;

/** Matches text that has a letter of the script. */
export const LETTERS: Readonly<Partial<Record<Script, RegExp>>> = Object.fromEntries(
  Object.entries(FACE_SCRIPTS).map(([code, script]) => [
    script,
    RegExp(`\\p{Script=${code}}`, "u"),
  ]),
);

/** A longer code, or one of another form, becomes `und`. */
const MAX_CODE_LENGTH = 35;
const TAG_SHAPE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

/** The code for an undetermined language (BCP 47). */
export const UNDETERMINED = "und";

export function isKnownLanguage(code: string): code is KnownLanguage {
  return Object.hasOwn(LANGUAGES, code);
}

/** Whether a code is safe in a path and in a `lang` attribute. */
export function isLanguageCode(code: string): boolean {
  return code.length <= MAX_CODE_LENGTH && TAG_SHAPE.test(code);
}

/** How a code begins that a person writes. */
const WRITTEN_CODE = /^[a-z]{2,3}(?:-|$)/i;

/**
 * Whether the owner of a site may write the code, in a file of quotes or in settings. A name such as "English" has the form of a
 * code, too: a service may send it, but the owner means "en".
 */
export function isWrittenCode(code: string): boolean {
  return isLanguageCode(code) && WRITTEN_CODE.test(code);
}

/** Why a code is refused that the owner wrote. */
export const EXPECTED_CODE = 'expected a language code such as "en"';

/** Lists the scripts of which a text has letters, apart from "other". */
export function scriptsIn(text: string): Script[] {
  const scripts = Object.entries(LETTERS) as [Script, RegExp][];
  return scripts.flatMap(([script, letter]) => (letter.test(text) ? [script] : []));
}

/** ISO 15924 codes of the scripts that names are written in, with a pattern for their letters. */
const NAME_SCRIPTS = [
  ...Object.keys(FACE_SCRIPTS),
  ..."Armn Geor Guru Gujr Orya Taml Knda Mlym Sinh Thai Laoo Tibt Mymr Khmr Ethi Mong".split(" "),
  ..."Hani Hira Kana Hang".split(" "),
].map((code) => [code, RegExp(`\\p{Script=${code}}`, "u")] as const);

/** The ISO 15924 code of the script that a letter belongs to; null for signs and for the rarest scripts. */
export function scriptOf(letter: string): string | null {
  return NAME_SCRIPTS.find(([, letters]) => letters.test(letter))?.[0] ?? null;
}

/** Name of a script (ISO 15924) in a language (BCP 47), such as "Cyrillic". */
export function scriptName(code: string, tag: string): string {
  return capitalise(new Intl.DisplayNames(tag, { type: "script" }).of(code) ?? code, tag);
}

/**
 * Name of a language in the reader's language; null where there is none.
 *
 * @param tag BCP 47; `Intl` throws for a tag with extensions, such as `en-x-short`, and calls the undetermined one "root"
 */
export function languageName(tag: string, reader: string): string | null {
  if (tag === UNDETERMINED || new Intl.Locale(tag).baseName !== tag) return null;
  return new Intl.DisplayNames([reader, "en"], { type: "language" }).of(tag) ?? null;
}

/** The part of a page's quotes that must have one language: then the page speaks it. */
const MAIN_PART = 0.9;

/** The language of at least nine tenths of the codes, each that of a quote; null where none has as many. */
export function mainLanguage(codes: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const code of codes.map((each) => each.toLowerCase()))
    counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const [code, count] of counts) if (count >= MAIN_PART * codes.length) return code;
  return null;
}

/** Describes any code, also an unknown one: the set grows (docs/contract.md, section 1). Case is ignored. */
export function languageOf(code: string): Language {
  const lower = code.toLowerCase();
  if (isKnownLanguage(lower)) return LANGUAGES[lower];
  return getOrCompute(described, code, describe);
}

const described = new Map<string, Language>();

function describe(code: string): Language {
  const tag = canonicalTag(code);
  if (tag === UNDETERMINED) {
    // In English, as for each language that `Intl` cannot name in itself. "und" is a German word.
    const name = code === UNDETERMINED ? "Unknown language" : code;
    return { name, tag, dir: "ltr", script: "other" };
  }
  const locale = new Intl.Locale(tag).maximize();
  const name = languageName(tag, tag) ?? code;
  const script = FACE_SCRIPTS[locale.script ?? ""] ?? "other";
  const { direction: dir = "ltr" } = locale.getTextInfo();
  return { name: capitalise(name, tag), tag, dir, script };
}

function canonicalTag(code: string): string {
  if (!isLanguageCode(code)) return UNDETERMINED;
  try {
    return Intl.getCanonicalLocales(code)[0] ?? UNDETERMINED;
  } catch (error) {
    // A tag of the right form may still be invalid, such as one with a repeated variant.
    if (error instanceof RangeError) return UNDETERMINED;
    throw error;
  }
}

/** Georgian uses its capitals only for whole words. */
function capitalise(name: string, tag: string): string {
  if (/^\p{Script=Georgian}/u.test(name)) return name;
  const [first = "", ...rest] = name;
  return first.toLocaleUpperCase(tag) + rest.join("");
}
