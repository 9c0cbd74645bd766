/**
 * Folds text, so that spellings of one word compare equal.
 *
 * `fold()` decides which names are one tag or one author. The search folds more: it may show a reader too much, but a name
 * that is merged shares a page. Accents are dropped (`Molière` is `Moliere`). Vowel signs of Bengali, Telugu or Devanagari are
 * combining marks too, but are kept: without them unrelated words would merge.
 */

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
/** A word that is its own key, as most are. The range has no ё, which decomposes. */
const PLAIN_WORD = /^(?:[a-z\d]+|[а-я]+)$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Characters between words, and apostrophes that Unicode counts as letters (`обовʼязок` is `обов'язок`). */
const SEPARATORS = /(?:[^\p{L}\p{N}\p{M}]|[\u02B9-\u02BF])+/gu;

/** Soft hyphens, joiners, fillers, variation selectors, and the Arabic tatweel, which only stretches a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Accents, points and harakat. Of the marks that scripts share, the voicing marks of Kana make other letters. */
const DECORATION =
  /(?=\p{M})(?![\u3099\u309A])[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]/gu;

/** Letters that Unicode decomposes though they are distinct: `мой` is not `мои`. `ё` is often printed as `е`. */
const CYRILLIC_LETTERS = /([йїўѓќ])/u;

/** Letters that Unicode does not decompose, by their other spelling: of names and of all else. */
export const SAME_LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ß: "ss",
  // The final form of sigma.
  ς: "σ",
  // Persian and Urdu keyboards have other code points for these, and Egyptian ones write a last yeh without its dots.
  ی: "ي",
  ى: "ي",
  ک: "ك",
  ہ: "ه",
};

/** Letters that readers type for each other, by the one that the search compares. */
export const SEARCHED_LETTERS: Readonly<Record<string, string>> = {
  // Teh marbuta is a heh with dots.
  ة: "ه",
  ґ: "г",
  // The nukta of Devanagari is often left out, and a nasal vowel is written with either sign.
  "\u093C": "",
  "\u0901": "\u0902",
  // Khanda ta of Bengali had no code point of its own before Unicode 4.1.
  ৎ: "ত্",
};

/** Hiragana for Katakana: a word may be written in either. */
const KATAKANA = /[\u30A1-\u30F6]/gu;
const TO_HIRAGANA = 0x60;

/** The Arabic article, before a word of three letters or more. */
const ARTICLE = /^ال(?=\p{L}{3})/u;

/** A script without spaces between words: each of its characters is a word of its own. */
const UNSPACED =
  /([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]\p{M}*)/u;

const anyOf = (letters: Readonly<Record<string, string>>): RegExp =>
  new RegExp(`[${Object.keys(letters).join("")}]`, "gu");
const NOT_DECOMPOSED = anyOf(SAME_LETTERS);
const SEARCHED = anyOf(SEARCHED_LETTERS);

/**
 * The key of a name: NFKC, one case, no accents, and a single space between words.
 *
 * @returns the empty string for a name without a letter or digit, such as `?`
 */
export function fold(name: string): string {
  if (PLAIN_ASCII.test(name)) return words(name.toLowerCase());
  // Upper case first: it maps `ß` to `SS`, and the three sigmas to one.
  const oneCase = name.normalize("NFKC").replace(INVISIBLE, "").toUpperCase().toLowerCase();
  const bare = oneCase.normalize("NFKC").split(CYRILLIC_LETTERS).map(withoutDecoration).join("");
  const key = words(bare.replace(NOT_DECOMPOSED, (letter) => SAME_LETTERS[letter] ?? letter));
  return LETTER_OR_DIGIT.test(key) ? key : "";
}

/**
 * The words of a text as the search compares them: folded as names are, and by `SEARCHED_LETTERS`, Katakana as Hiragana, and
 * without the Arabic article. Each character of a script without spaces is a word.
 */
export function searchedWords(text: string): string[] {
  if (PLAIN_WORD.test(text)) return [text];
  const key = fold(text);
  if (PLAIN_ASCII.test(key)) return key === "" ? [] : key.split(" ");
  const plain = key
    .normalize("NFD")
    .replace(SEARCHED, (letter) => SEARCHED_LETTERS[letter] ?? letter)
    .normalize("NFC")
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - TO_HIRAGANA));
  return plain.split(" ").flatMap((word) => {
    const parts = word.replace(ARTICLE, "").split(UNSPACED);
    return parts.filter((part) => part !== "");
  });
}

/** A word of the list of words. */
export interface ListedWord {
  /** Equal for all spellings that the search takes for one. Two characters of a script without spaces are a word. */
  readonly key: string;
  /** In lower case, with accents; for a script without spaces the key. */
  readonly spelling: string;
}

/** Letters, digits and marks, and an apostrophe between them. */
const TOKENS = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

/**
 * Separates words of a query where no space does: punctuation and symbols, but what may be inside of a word (`AT&T`, `צה״ל`) or
 * between digits (`3:16`).
 */
export const BETWEEN_WORDS =
  /(?!['’‘＇′`´‐‑–—…./&·׳״־-])(?:(?<!\p{N})[\p{P}\p{S}]|[\p{P}\p{S}](?!\p{N}))/u;

/** A text in lower case with its accents, without characters that are not seen. */
export const plainLower = (text: string): string =>
  text.normalize("NFC").replace(INVISIBLE, "").toLowerCase();

/** Splits a text into words in lower case, with their accents. A text without spaces is one word up to its punctuation. */
const tokensOf = (text: string): string[] => plainLower(text).match(TOKENS) ?? [];

/** A word of the list as a language has it. */
export interface IndexedWord extends ListedWord {
  /** The word of the index that has it inside, and not at its beginning; empty where the index finds the word itself. */
  readonly inside: string;
}

/** The words of a token of the index for the list: each with its accents, without apostrophes and in its parts. */
export function listedWords(token: string): IndexedWord[] {
  if (PLAIN_WORD.test(token)) return [{ key: token, spelling: token, inside: "" }];
  const whole = token.replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
  return (token.match(TOKENS) ?? []).flatMap((part) => {
    const parts = part.split(/['’]/u);
    return (parts.length > 1 ? [...parts, parts.join("")] : parts).flatMap((spelling) => {
      const words = searchedWords(spelling);
      if (words.length === 1 && !UNSPACED.test(spelling)) {
        const inside = whole.startsWith(spelling) ? "" : whole;
        return [{ key: words[0] ?? "", spelling, inside }];
      }
      return [...words, ...pairsOf(words)].map((key) => ({ key, spelling: key, inside: "" }));
    });
  });
}

/** The words by which a query is looked up in the list, in its order: all must be in a language. */
export function lookedUpWords(text: string): ListedWord[] {
  return tokensOf(text).flatMap((token) => {
    const spelling = token.replaceAll(/['’]/gu, "");
    const words = searchedWords(spelling);
    const isWhole = words.length === 1 && !UNSPACED.test(spelling);
    const keys = words.length === 1 ? words : pairsOf(words);
    return keys.map((key) => ({ key, spelling: isWhole ? spelling : key }));
  });
}

/** Each two characters that follow each other. */
const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => (words[at] ?? "") + word);

function words(text: string): string {
  return text.replace(SEPARATORS, " ").trim();
}

/** `split()` puts the letters of its capture group at odd indexes: these stay as they are. */
function withoutDecoration(part: string, index: number): string {
  if (index % 2 === 1) return part;
  return part.normalize("NFD").replace(DECORATION, "").normalize("NFC");
}
