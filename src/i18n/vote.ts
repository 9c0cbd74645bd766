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
import { spoken } from "./spoken.ts";

export interface VoteMessages {
  /** Stand in every card, in the language of its quote. */
  readonly card: {
    /** Name of the group: what the number counts. */
    readonly likes: string;
    readonly up: string;
    readonly down: string;
    readonly report: string;
    /** The second step of a report, on the button that sends it. */
    readonly confirm: string;
  };
  /** Stand once a page, in its language. */
  readonly states: VoteStates;
}

export interface VoteStates {
  readonly sending: string;
  readonly counted: string;
  /** Sent, and nobody can say whether it arrived: never sent again. */
  readonly unconfirmed: string;
  readonly later: string;
  /** With the blank `{when}`. */
  readonly laterIn: string;
  readonly offline: string;
  readonly refused: string;
  /** One vote a quote. */
  readonly already: string;
  /** One report a quote, too. */
  readonly reported: string;
  /** In place of a quote that the reader reported. */
  readonly hidden: string;
  /** Undoes the hiding. */
  readonly show: string;
}

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
