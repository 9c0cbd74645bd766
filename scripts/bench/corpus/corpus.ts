/**
 * A generated collection of any size, always the same for one seed.
 *
 * Words come from the Universal Declaration of Human Rights in each language. As in a real collection, a few authors and tags
 * have thousands of quotes, and most have one to three.
 */
import type { KnownLanguage } from "../../../src/contract/languages.ts";
import { readArticles } from "../../../src/service/texts.ts";
import { seededRandom, unevenPicker, type Random } from "./random.ts";

/** A quote in the contract's field names. */
interface Record_ {
  readonly pk: number;
  readonly quote: string;
  readonly author: string | null;
  readonly likes: number;
  readonly tags: readonly string[];
  readonly image: null;
  readonly language: string;
}

/** Languages by their share of a hundred quotes. */
const LANGUAGES: Readonly<Record<KnownLanguage, number>> = {
  en: 60,
  fr: 6,
  es: 6,
  de: 5,
  it: 4.5,
  pt: 4.5,
  ru: 4,
  tr: 2.5,
  uk: 2,
  ar: 2,
  he: 1.2,
  hi: 1,
  be: 0.8,
  te: 0.5,
};

/** Quotes in a hundred whose author is known. */
const ATTRIBUTED = 97;

/** Quotes in a hundred with at most 0, 1, 2, … tags. */
const TAGS_UP_TO = [10, 28, 50, 70, 85, 95, 100];

/** @param changed share of the quotes that differ from version 0: reworded, voted for, replaced */
export function* corpus(quotes: number, seed: number, changed = 0): Generator<Record_> {
  const words = vocabulary();
  const names = seededRandom(seed ^ 0x6e616d65);
  const authors = distinct(Math.max(5, Math.round(quotes / 8)), () => personIn(words, names));
  const tags = distinct(Math.max(5, Math.min(2_000, Math.floor(quotes / 20))), () =>
    tagOf(words.en ?? [], names),
  );
  const authorAt = unevenPicker(authors.length, 12);
  const tagAt = unevenPicker(tags.length, 1.5);
  const random = seededRandom(seed);
  for (let pk = 1; pk <= quotes; pk++) {
    const language = languageAt(random.next() * 100);
    const attributed = random.next() * 100 < ATTRIBUTED;
    // Half of the quotes take all authors in turn, so that each has a quote; the others go to famous authors.
    const author = pk % 2 === 0 ? (pk / 2) % authors.length : authorAt(random.next());
    const wanted = random.next() * 100;
    const count = TAGS_UP_TO.findIndex((share) => wanted < share);
    const record: Record_ = {
      pk,
      quote: textOf(words[language] ?? [], random),
      author: attributed ? (authors[author] ?? null) : null,
      likes: likesOf(random),
      tags: [...new Set(Array.from({ length: count }, () => tags[tagAt(random.next())] ?? ""))],
      image: null,
      language,
    };
    const own = seededRandom(seed ^ Math.imul(pk, 0x85ebca6b));
    yield changed === 0 || own.next() >= changed
      ? record
      : changedRecord(record, quotes, own, words);
  }
}

/** Of ten changed quotes, five have other words, four have other likes, and one is another quote. */
function changedRecord(record: Record_, quotes: number, random: Random, words: Words): Record_ {
  const what = random.next();
  const quote = textOf(words[record.language as KnownLanguage] ?? [], random);
  if (what < 0.5) return { ...record, quote };
  const likes = likesOf(random);
  return what < 0.9 ? { ...record, likes } : { ...record, pk: quotes + record.pk, quote, likes };
}

type Words = Readonly<Partial<Record<KnownLanguage, readonly string[]>>>;

function vocabulary(): Words {
  const codes = Object.keys(LANGUAGES) as KnownLanguage[];
  const wordsIn = (code: KnownLanguage): string[] => [
    ...new Set(
      readArticles(code)
        .join(" ")
        .match(/[\p{L}\p{M}'’]+/gu),
    ),
  ];
  return Object.fromEntries(codes.map((code) => [code, wordsIn(code)]));
}

function languageAt(at: number): KnownLanguage {
  let sum = 0;
  for (const [code, share] of Object.entries(LANGUAGES)) {
    sum += share;
    if (at < sum) return code as KnownLanguage;
  }
  return "en";
}

function personIn(words: Words, random: Random): string {
  const own = words[languageAt(random.next() * 100)] ?? [];
  const name = (): string => capitalised(random.pick(own));
  const initial = random.next() < 0.2 ? ` ${String.fromCodePoint(65 + random.below(26))}.` : "";
  return `${name()}${initial} ${name()}`;
}

function tagOf(words: readonly string[], random: Random): string {
  const word = random.pick(words).toLowerCase();
  return random.next() < 0.4 ? word : `${word}-${random.pick(words).toLowerCase()}`;
}

function distinct(count: number, make: () => string): string[] {
  const made = new Map<string, string>();
  while (made.size < count) {
    const name = make();
    if (name.length > 2) made.set(name.toLowerCase(), name);
  }
  return [...made.values()];
}

/** About 120 characters, seldom under 30 or over 350. */
function textOf(words: readonly string[], random: Random): string {
  const length = Math.min(400, Math.max(20, Math.exp(4.72 + 0.62 * random.normal())));
  let text = capitalised(random.pick(words));
  while (text.length < length) {
    const sign = random.next();
    if (sign < 0.06) text += ",";
    else if (sign < 0.08) text += " &";
    else if (sign < 0.085) text += ' "so"';
    text += ` ${random.pick(words)}`;
  }
  return `${text}.`;
}

const likesOf = (random: Random): number =>
  Math.max(0, Math.floor(Math.exp(2.2 + 1.9 * random.normal()) - 1));

function capitalised(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}
