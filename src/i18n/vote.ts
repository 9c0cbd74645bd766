/**
 * What voting says, in the languages that pages speak.
 *
 * No sentence holds a number in words: `{when}` is made by the reader's browser ("in 5 minutes"), in the right plural.
 */
import type { KnownLanguage } from "../contract/languages.ts";
import { ar } from "./vote/ar.ts";
import { be } from "./vote/be.ts";
import { de } from "./vote/de.ts";
import { en } from "./vote/en.ts";
import { es } from "./vote/es.ts";
import { fr } from "./vote/fr.ts";
import { he } from "./vote/he.ts";
import { hi } from "./vote/hi.ts";
import { it } from "./vote/it.ts";
import { pt } from "./vote/pt.ts";
import { ru } from "./vote/ru.ts";
import { te } from "./vote/te.ts";
import { tr } from "./vote/tr.ts";
import { uk } from "./vote/uk.ts";
import type { VoteMessages } from "./vote/messages.ts";
import { spoken } from "./spoken.ts";

export const VOTE_MESSAGES: Readonly<Record<KnownLanguage, VoteMessages>> = {
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

/** @param code of a voice; English for one we do not speak */
export function voteMessages(code: string): VoteMessages {
  return spoken(VOTE_MESSAGES, code);
}
