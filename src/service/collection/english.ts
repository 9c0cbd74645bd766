/**
 * English quotes with authors from three packages; from the third only authors in the public domain.
 *
 * Rows whose author is the second half of the sentence are dropped. A description after the name ("Bill Gates, co-founder
 * of Microsoft") is cut, so that one person has one spelling.
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

/** Number of sayings to use; the packages have more. */
const SAYINGS = 887;

/** Reads each saying once, in the order of the packages. */
export function readEnglishSayings(): Saying[] {
  const seen = new Set<string>();
  return [
    ...readRows("inspirational-quotes/data/data.json", "text", "from"),
    ...readRows("random-quotes/dist/quotes.json", "body", "author"),
    ...readLibrary(),
  ]
    .filter(({ quote, author }) => isName(author) && !UNFIT.test(quote))
    .map(({ quote, author }) => ({ quote: quote.trim(), author: tidyAuthor(author) }))
    .filter(({ quote }) => {
      const key = foldLetters(quote);
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, SAYINGS);
}

type Row = z.infer<typeof rowSchema>;
const rowSchema = z.object({ quote: z.string(), author: z.string() });

/** @param keys of the text and of the author in the rows of the file */
function readRows(file: string, ...keys: readonly [quote: string, author: string]): Row[] {
  const rows = z.array(z.record(z.string(), z.unknown())).parse(readJson(file));
  return rows.map((row) => rowSchema.parse({ quote: row[keys[0]], author: row[keys[1]] }));
}

function readLibrary(): Row[] {
  return (
    readRows("quote-library/data/quotes.json", "quoteText", "quoteAuthor")
      .filter(({ author }) => PUBLIC_DOMAIN.has(author) || / proverb$/.test(author))
      // The package lost some letters.
      .filter(({ quote }) => !quote.includes("\uFFFD"))
  );
}

function readJson(specifier: string): unknown {
  // One of the files begins with a byte order mark, which JSON.parse refuses.
  return JSON.parse(readFileSync(resolve(specifier), "utf8").replace(/^\uFEFF/, ""));
}

const MAX_AUTHOR_LENGTH = 60;

/** Whether an author is a name and not the rest of the sentence. */
function isName(author: string): boolean {
  return (
    !/["”’'“]$/u.test(author) && !/^\p{Ll}/u.test(author) && author.length <= MAX_AUTHOR_LENGTH
  );
}

/** Quotes that do not fit a default collection. */
const UNFIT = /\bshit\b|picking cotton|eskimos/i;

const UNKNOWN_NAMES = new Set(["unknown", "anonymous"]);

/** Names as in the third package. */
const PUBLIC_DOMAIN = new Set(
  `Abraham Lincoln, Anatole France, Aristotle, Benjamin Disraeli, Benjamin Franklin, Blaise Pascal, Charlotte Bronte,
Confucius, Elbert Hubbard, Elizabeth Browning, Epictetus, George Eliot, Goethe, Harriet Beecher Stowe, Henry David Thoreau,
Henry Thoreau, Johann Wolfgang von Goethe, Kahlil Gibran, Lao Tzu, Lao-Tzu, Laozi, Leo Tolstoy, Leonardo da Vinci,
Marcus Aurelius, Marie Curie, Mark Twain, Mary Wollstonecraft, Michelangelo, Napoleon Bonaparte, Oliver Holmes, Oscar Wilde,
Ovid, Plato, Plutarch, Publilius Syrus, Ralph Emerson, Ralph Waldo Emerson, Rene Descartes, Rumi, Seneca, Socrates,
Sojourner Truth, Sophocles, Thomas Carlyle, Thomas Edison, Thomas Jefferson, Virgil, Voltaire, William James,
William Shakespeare`.split(/,\s/),
);

/** Second spellings and misspellings. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "Dr. Napoleon Hill": "Napoleon Hill",
  "Elizabeth Browning": "Elizabeth Barrett Browning",
  "Famouse Last Words": "Famous Last Words",
  Goethe: "Johann Wolfgang von Goethe",
  "Guatama Buddha": "Gautama Buddha",
  "Henry Thoreau": "Henry David Thoreau",
  "Jay Z": "Jay-Z",
  "Lao-Tzu": "Lao Tzu",
  Laozi: "Lao Tzu",
  "Lucius Annaeus Seneca": "Seneca",
  "Old German Proverb": "German Proverb",
  "Oliver Holmes": "Oliver Wendell Holmes",
  "Ralph Emerson": "Ralph Waldo Emerson",
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

/** Folds a quote to its letters and digits, by which two spellings compare. */
function foldLetters(quote: string): string {
  return (
    quote
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).join("");
}
