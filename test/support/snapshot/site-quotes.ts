/** Quotes for a small site: every language of the table, every length, and text that means harm. */
import { LANGUAGES } from "../../../src/contract/languages.ts";
import type { QuoteDraft } from "./make-snapshot.ts";

/** Article 1 of the Universal Declaration of Human Rights, or its beginning. */
export const WORDS: Readonly<Record<string, string>> = {
  en: "All human beings are born free and equal in dignity and rights.",
  fr: "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
  de: "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
  it: "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.",
  pt: "Todos os seres humanos nascem livres e iguais em dignidade e em direitos.",
  ru: "Все люди рождаются свободными и равными в своем достоинстве и правах.",
  es: "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
  tr: "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
  uk: "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
  he: "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
  ar: "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق.",
  be: "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
  te: "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు.",
  hi: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
};

export const SCRIPT_TEXT = "</script><img src=x onerror=alert(1)>";
const PATH_TEXT = "../../etc/passwd";
export const BIDI_TEXT = "\u202EDesrever eht lla si siht\u2066 \u2067 and nobody closes it";
export const STACKED_TEXT = `Z${"\u0300\u0316\u0334".repeat(100)}algo`;
const LONG_WORD = "Donaudampfschifffahrt".repeat(477).slice(0, 10_000);
export const VERSE =
  "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,";

/** Text that means harm, each as a quote, an author and a tag. */
export const HOSTILE = [
  SCRIPT_TEXT,
  PATH_TEXT,
  BIDI_TEXT,
  STACKED_TEXT,
  LONG_WORD,
  "{{7*7}}${7*7}",
];

/** How many quotes of each language: more than a page holds for English, Arabic and Bengali. */
const MANY: Readonly<Record<string, number>> = { en: 120, ar: 55, be: 55 };

export function siteQuotes(): QuoteDraft[] {
  const quotes: QuoteDraft[] = [];
  const seen = new Set<string>();
  const add = (draft: Omit<QuoteDraft, "id">): void => {
    quotes.push({ id: quotes.length + 1, likes: (quotes.length * 37) % 400, ...draft });
  };
  for (const code of Object.keys(LANGUAGES)) {
    const words = WORDS[code] ?? "";
    for (let n = 1; n <= (MANY[code] ?? 3); n++) {
      const author = n % 4 === 0 ? null : `${code} ${n % 9}`;
      const text = Array.from({ length: 1 + ((n * n) % 6) }, () => words).join(" ");
      // The same text of one author would be a copy.
      const said = `${author}: ${text}`;
      add({
        text: seen.has(said) ? `${text} ${n}` : text,
        language: code,
        author,
        tags: ["rights"],
      });
      seen.add(said);
    }
  }
  add({ text: "Ano.", language: "cs", author: "Karel Čapek", tags: [] });
  add({ text: "?", language: "und", author: null });
  add({ text: VERSE, language: "en", author: "William Blake", tags: ["tigers", "night"] });
  for (const text of HOSTILE) {
    const name = text.slice(0, 200);
    // With a tag in common, each is offered below the others.
    add({ text, author: name, tags: [name, "harm"] });
  }
  return quotes;
}
