/**
 * English quotes with their authors, from three packages; of the third only authors whose words are in the public domain.
 *
 * They hold rows whose author is the second half of the sentence; such rows are dropped. A description after the name
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

/** How many there are: enough for most of the collection, not all that the third package has. */
const SAYINGS = 887;

/** Every saying once, in the order of the packages. */
export function englishSayings(): Saying[] {
  const seen = new Set<string>();
  return [...fromInspirational(), ...fromRandom(), ...fromLibrary()]
    .filter(({ quote, author }) => isWhole(author) && !UNFIT.test(quote))
    .map(({ quote, author }) => ({ quote: quote.trim(), author: tidyAuthor(author) }))
    .filter(({ quote }) => {
      const key = lettersOf(quote);
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, SAYINGS);
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

function fromLibrary(): Row[] {
  const rows = z.array(z.object({ quoteText: z.string(), quoteAuthor: z.string() }));
  return (
    rows
      .parse(readJson("quote-library/data/quotes.json"))
      .map(({ quoteText, quoteAuthor }) => ({ quote: quoteText, author: quoteAuthor }))
      .filter(({ author }) => PUBLIC_DOMAIN.has(author) || / proverb$/.test(author))
      // The package lost some letters.
      .filter(({ quote }) => !quote.includes("\uFFFD"))
  );
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

/** As the third package writes them. */
const PUBLIC_DOMAIN = new Set(
  `Abraham Lincoln, Anatole France, Aristotle, Benjamin Disraeli, Benjamin Franklin, Blaise Pascal, Charlotte Bronte,
Confucius, Elbert Hubbard, Elizabeth Browning, Epictetus, George Eliot, Goethe, Harriet Beecher Stowe, Henry David Thoreau,
Henry Thoreau, Johann Wolfgang von Goethe, Kahlil Gibran, Lao Tzu, Lao-Tzu, Laozi, Leo Tolstoy, Leonardo da Vinci,
Marcus Aurelius, Marie Curie, Mark Twain, Mary Wollstonecraft, Michelangelo, Napoleon Bonaparte, Oliver Holmes, Oscar Wilde,
Ovid, Plato, Plutarch, Publilius Syrus, Ralph Emerson, Ralph Waldo Emerson, Rene Descartes, Rumi, Seneca, Socrates,
Sojourner Truth, Sophocles, Thomas Carlyle, Thomas Edison, Thomas Jefferson, Virgil, Voltaire, William James,
William Shakespeare`.split(/,\s/),
);

/** The same person under two spellings, or a slip of the pen. */
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

/** What two spellings of one saying have in common. */
function lettersOf(quote: string): string {
  return (
    quote
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).join("");
}
