/** The languages that pages speak: to add one, write its module and its row of `LANGUAGES`. */
import { isKnownLanguage, type KnownLanguage } from "../contract/languages.ts";
import { ar } from "./languages/ar.ts";
import { be } from "./languages/be.ts";
import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { he } from "./languages/he.ts";
import { hi } from "./languages/hi.ts";
import { it } from "./languages/it.ts";
import { pt } from "./languages/pt.ts";
import { ru } from "./languages/ru.ts";
import { te } from "./languages/te.ts";
import { tr } from "./languages/tr.ts";
import { uk } from "./languages/uk.ts";
import type { Translation } from "./translation.ts";

export const TRANSLATIONS: { readonly [L in KnownLanguage]: Translation<L> } = {
  en,
  fr,
  de,
  it,
  pt,
  ru,
  es,
  tr,
  uk,
  he,
  ar,
  be,
  te,
  hi,
};

/** @param code of a language; English for one without a translation */
export function translationOf(code: string): Translation {
  return TRANSLATIONS[isKnownLanguage(code) ? code : "en"];
}
