/**
 * What finding, keeping and sharing say, in the languages that pages speak.
 *
 * No sentence holds a number in words, so none needs a plural: `{n}` is a bare figure.
 */
import type { KnownLanguage } from "../contract/languages.ts";
import { ar } from "./found/ar.ts";
import { be } from "./found/be.ts";
import { de } from "./found/de.ts";
import { en } from "./found/en.ts";
import { es } from "./found/es.ts";
import { fr } from "./found/fr.ts";
import { he } from "./found/he.ts";
import { hi } from "./found/hi.ts";
import { it } from "./found/it.ts";
import { pt } from "./found/pt.ts";
import { ru } from "./found/ru.ts";
import { te } from "./found/te.ts";
import { tr } from "./found/tr.ts";
import { uk } from "./found/uk.ts";
import type { FoundMessages } from "./found/messages.ts";
import { spoken } from "./spoken.ts";

const FOUND_MESSAGES: Readonly<Record<KnownLanguage, FoundMessages>> = {
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

/** The messages of a voice, by its code. */
export function foundMessages(code: string): FoundMessages {
  return spoken(FOUND_MESSAGES, code);
}
