/**
 * Folds a name to a key: spellings with the same key mean one tag or one author.
 *
 * Accents are dropped (`Molière` is `Moliere`). Vowel signs of Bengali, Telugu or Devanagari are combining marks too, but
 * are kept: without them unrelated words would merge.
 */

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Characters between words, and apostrophes that Unicode counts as letters (`обовʼязок` is `обов'язок`). */
const SEPARATORS = /[[^\p{L}\p{N}\p{M}][\u02B9-\u02BF]]+/gv;

/** Soft hyphens, joiners, fillers, variation selectors, and the Arabic tatweel, which only stretches a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gv;

/** Accents, points and harakat. Of the marks that scripts share, the voicing marks of Kana make other letters. */
const DECORATION =
  /[\p{M}&&[[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]--[\u3099\u309A]]]/gv;

/** Letters that Unicode decomposes though they are distinct: `мой` is not `мои`. `ё` is often printed as `е`. */
const CYRILLIC_LETTERS = /([йїўѓќ])/u;

/** Strokes, ligatures and a final form, which Unicode does not decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  æ: "ae",
  œ: "oe",
  ς: "σ",
};
const NOT_DECOMPOSED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");

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
  const key = words(bare.replace(NOT_DECOMPOSED, (letter) => PLAIN[letter] ?? letter));
  return LETTER_OR_DIGIT.test(key) ? key : "";
}

function words(text: string): string {
  return text.replace(SEPARATORS, " ").trim();
}

/** `split()` puts the letters of its capture group at odd indexes: these stay as they are. */
function withoutDecoration(part: string, index: number): string {
  if (index % 2 === 1) return part;
  return part.normalize("NFD").replace(DECORATION, "").normalize("NFC");
}
