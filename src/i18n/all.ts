/** The languages that pages speak: to add one, write its messages, its plural forms and its row of `LANGUAGES`. */
import type { KnownLanguage } from "../contract/languages.ts";
import type { Messages } from "./messages.ts";
import { ar } from "./messages/ar.ts";
import { be } from "./messages/be.ts";
import { de } from "./messages/de.ts";
import { en } from "./messages/en.ts";
import { es } from "./messages/es.ts";
import { fr } from "./messages/fr.ts";
import { he } from "./messages/he.ts";
import { hi } from "./messages/hi.ts";
import { it } from "./messages/it.ts";
import { pt } from "./messages/pt.ts";
import { ru } from "./messages/ru.ts";
import { te } from "./messages/te.ts";
import { tr } from "./messages/tr.ts";
import { uk } from "./messages/uk.ts";

export const MESSAGES: { readonly [L in KnownLanguage]: Messages<L> } = {
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
