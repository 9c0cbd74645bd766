/** The languages that pages speak: the modules here, with what `site/messages` changes in them and adds to them. */
import { siteData, type MessageTree } from "../settings/site-data.ts";
import { ar } from "./languages/ar.ts";
import { be } from "./languages/be.ts";
import { de } from "./languages/de.ts";
import { en, type Translation } from "./languages/en.ts";
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

/** A fork adds others in `site/messages`. */
export const TRANSLATIONS: Readonly<Record<string, Translation>> = {
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

/** Whether pages can speak a language. */
export function hasTranslation(code: string): boolean {
  return Object.hasOwn(TRANSLATIONS, code) || Object.hasOwn(siteData().messages, code);
}

const merged = new Map<string, Translation>();

/** @param code of a language; English for one without a translation, and for each message that one lacks */
export function translationOf(code: string): Translation {
  if (!hasTranslation(code)) return translationOf("en");
  return merged.getOrInsertComputed(code, merge);
}

function merge(code: string): Translation {
  const own = TRANSLATIONS[code] ?? translationOf("en");
  const { [code]: site } = siteData().messages;
  // The tree was checked against the English one where it was read.
  return site === undefined ? own : (overlay(own, site) as Translation);
}

function overlay(under: object, over: MessageTree): object {
  const entries = Object.entries(over).map(([key, value]) => {
    const below: unknown = Reflect.get(under, key);
    const isTree = typeof value === "object" && typeof below === "object" && below !== null;
    return [key, isTree ? overlay(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(entries) };
}
