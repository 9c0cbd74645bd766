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
import { spoken } from "./spoken.ts";

export interface BuildMessages {
  /** The page's name, and the link that leads to it. */
  readonly title: string;
  readonly intro: string;
  /** Above what the harvest changed. */
  readonly news: string;
  readonly added: string;
  readonly changed: string;
  readonly removed: string;
  readonly calls: string;
  readonly callsLeft: string;
  /** In place of a figure that nobody knows. */
  readonly unknown: string;
  readonly waits: string;
  /** What must be true of the service for the label to be. */
  readonly assumption: string;
  readonly unread: string;
  /** Above where a record stood in the service's list. */
  readonly place: string;
  readonly reason: string;
  readonly merged: string;
  readonly pictures: string;
  readonly shown: string;
  readonly failed: string;
  /** Above the chart and its table. */
  readonly trend: string;
  /** What the chart shows, for those who cannot see it. */
  readonly trendText: string;
  readonly none: string;
  readonly quotes: string;
  readonly date: string;
  readonly outcome: string;
  readonly published: string;
  readonly notPublished: string;
  /** Addresses that a build changed. */
  readonly pages: string;
  readonly size: string;
  readonly duration: string;
  /** Name of the link to the same for programs. */
  readonly programs: string;
}

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
