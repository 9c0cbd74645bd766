/**
 * The messages of a language, with those of `site/messages`, and its formats of numbers, dates and plurals.
 *
 * A page of quotes in a language without messages has the messages of the site's language; its quotes keep their `lang`.
 */
import { languageOf, type Language } from "../contract/languages.ts";
import { en, type Placeholder, type Translation } from "./languages/en.ts";
import { siteData, type MessageTree } from "../settings/site-data.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import ar from "./languages/ar.json" with { type: "json" };
import be from "./languages/be.json" with { type: "json" };
import de from "./languages/de.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import he from "./languages/he.json" with { type: "json" };
import hi from "./languages/hi.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };
import ru from "./languages/ru.json" with { type: "json" };
import te from "./languages/te.json" with { type: "json" };
import tr from "./languages/tr.json" with { type: "json" };
import uk from "./languages/uk.json" with { type: "json" };

/** The messages and formats of a language. */
export type Locale = Translation & ReturnType<typeof formatsOf>;

type Messages = Translation["page"];

type EnglishPage = typeof en.page;
type Sentence = Exclude<keyof EnglishPage, "count" | "labels">;

const locales = new Map<string, Locale>();

/** The locale of a language with messages, otherwise of `fallback`, otherwise English. */
export function localeOf(code: string, fallback: string): Locale {
  const known = [code, code.toLowerCase(), fallback].find(hasTranslation) ?? "en";
  return getOrCompute(locales, known, makeLocale);
}

/** The tag of a locale's language for an element within text of another language; undefined within the same. */
export function foreignTag({ language }: Locale, around: Language): string | undefined {
  return language.tag === around.tag ? undefined : language.tag;
}

function makeLocale(code: string): Locale {
  const translation = translationOf(code);
  return { ...translation, ...formatsOf(code, translation.page) };
}

function formatsOf(code: string, messages: Messages) {
  const language = languageOf(code);
  const { tag } = language;
  const labels = new Map(Object.entries(messages.labels));
  const numbers = new Intl.NumberFormat(tag);
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  const plurals = new Intl.PluralRules(tag);
  return {
    /** The service's code of the language. */
    code,
    language,
    /** The messages of `page`. */
    messages,
    /** "1,234" in this language's digits. */
    number: (value: number): string => numbers.format(value),
    /** "12.5 sec", "3 MB": with at most one fractional digit. */
    unit: (value: number, unit: "second" | "megabyte"): string =>
      value.toLocaleString(tag, { style: "unit", unit, maximumFractionDigits: 1 }),
    /** "21 November 2026", in UTC; the text itself where it is not a date. */
    date: (iso: string): string =>
      Number.isNaN(Date.parse(iso)) ? iso : dates.format(new Date(iso)),
    /** "3 quotes", in the right plural form. */
    count: (what: keyof EnglishPage["count"], value: number): string => {
      const forms = messages.count[what];
      const named = forms[plurals.select(value)] ?? forms.other;
      // A form such as "one like" does not fit -1.
      const form = value < 0 && !named.includes("{n}") ? forms.other : named;
      return form.replace("{n}", () => numbers.format(value));
    },
    /** A message with its placeholders filled. */
    fill: <Key extends Sentence>(
      key: Key,
      values: Readonly<Record<Placeholder<EnglishPage[Key]>, string>>,
    ): string => {
      const known = new Map(Object.entries<string>(values));
      return messages[key].replace(/\{(\w+)\}/g, (all, name: string) => known.get(name) ?? all);
    },
    /** The meaning of the label of a harvest. */
    label: (label: string | null): string => labels.get(label ?? "") ?? messages.labels.unknown,
    /** Compares names in the alphabetical order of the language. */
    compare: new Intl.Collator(tag).compare,
  };
}

/** The languages of the project; a fork adds others in `site/messages`. */
export const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  ...{ en, fr, de, it, pt, ru, es, tr, uk, he, ar, be, te, hi },
};

/** Whether a language has messages. */
export function hasTranslation(code: string): boolean {
  return Object.hasOwn(TRANSLATIONS, code) || Object.hasOwn(siteData().messages, code);
}

/** The messages of a language; English ones where it has none. */
export function translationOf(code: string): Translation {
  const own = TRANSLATIONS[code] ?? translationOf("en");
  const { [code]: site } = siteData().messages;
  // `readMessages()` compared it with the English messages.
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
