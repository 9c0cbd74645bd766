/** What the page about the last build says, in the languages that pages speak. */
import type { KnownLanguage } from "../contract/languages.ts";
import { ar } from "./build/ar.ts";
import { be } from "./build/be.ts";
import { de } from "./build/de.ts";
import { en } from "./build/en.ts";
import { es } from "./build/es.ts";
import { fr } from "./build/fr.ts";
import { he } from "./build/he.ts";
import { hi } from "./build/hi.ts";
import { it } from "./build/it.ts";
import { pt } from "./build/pt.ts";
import { ru } from "./build/ru.ts";
import { te } from "./build/te.ts";
import { tr } from "./build/tr.ts";
import { uk } from "./build/uk.ts";
import type { BuildMessages } from "./build/messages.ts";
import { spoken } from "./spoken.ts";

export const BUILD_MESSAGES: Readonly<Record<KnownLanguage, BuildMessages>> = {
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
export function buildMessages(code: string): BuildMessages {
  return spoken(BUILD_MESSAGES, code);
}
