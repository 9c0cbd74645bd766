/**
 * English quotes with their authors, from two packages.
 *
 * Both hold rows whose author is the second half of the sentence; such rows are dropped. A description after the name
 * ("Bill Gates, co-founder of Microsoft") is cut, so that one person has one spelling.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { z } from "zod";

export interface Saying {
  readonly quote: string;
  /** Null when unknown. */
  readonly author: string | null;
}

const { resolve } = createRequire(import.meta.url);

/** Every saying once, in the order of the packages. */
export function englishSayings(): Saying[] {
  const seen = new Set<string>();
  return [...fromInspirational(), ...fromRandom()]
    .filter(({ quote, author }) => isWhole(author) && !UNFIT.test(quote))
    .map(({ quote, author }) => ({ quote: quote.trim(), author: tidyAuthor(author) }))
    .filter(({ quote }) => {
      const key = lettersOf(quote);
      return !seen.has(key) && seen.add(key);
    });
}

interface Row {
  readonly quote: string;
  readonly author: string;
}

function fromInspirational(): Row[] {
  const rows = z.array(z.object({ text: z.string(), from: z.string() }));
  return rows
    .parse(readJson("inspirational-quotes/data/data.json"))
    .map(({ text, from }) => ({ quote: text, author: from }));
}

function fromRandom(): Row[] {
  const rows = z.array(z.object({ body: z.string(), author: z.string() }));
  return rows
    .parse(readJson("random-quotes/dist/quotes.json"))
    .map(({ body, author }) => ({ quote: body, author }));
}

function readJson(specifier: string): unknown {
  // One of the files opens with a byte order mark, which JSON.parse refuses.
  return JSON.parse(readFileSync(resolve(specifier), "utf8").replace(/^\uFEFF/, ""));
}

const MAX_AUTHOR_LENGTH = 60;

/** Whether an author is a name rather than the rest of the sentence. */
function isWhole(author: string): boolean {
  return (
    !/["”’'“]$/u.test(author) && !/^\p{Ll}/u.test(author) && author.length <= MAX_AUTHOR_LENGTH
  );
}

/** Not for a collection that is shown to everyone by default. */
const UNFIT = /\bshit\b|picking cotton|eskimos/i;

const UNKNOWN_NAMES = new Set(["unknown", "anonymous"]);

/** The same person under two spellings, or a slip of the pen. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "Dr. Napoleon Hill": "Napoleon Hill",
  "Famouse Last Words": "Famous Last Words",
  "Guatama Buddha": "Gautama Buddha",
  "Jay Z": "Jay-Z",
  "Lucius Annaeus Seneca": "Seneca",
  "Robert Kiyosaki": "Robert T. Kiyosaki",
  "Sir Winston Churchill": "Winston Churchill",
  "Thomas Alva Edison": "Thomas Edison",
  "Winston Churchhill": "Winston Churchill",
};

function tidyAuthor(author: string): string | null {
  const name = author
    .replace(/,(?! (?:Jr|Sr)\b).*$/, "")
    .replace(/ proverb$/, " Proverb")
    .replace(/(?<=\p{Ll})\.$/u, "")
    .trim();
  return UNKNOWN_NAMES.has(name.toLowerCase()) ? null : (SPELLINGS[name] ?? name);
}

/** What two spellings of one saying have in common. */
function lettersOf(quote: string): string {
  return (
    quote
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).join("");
}
