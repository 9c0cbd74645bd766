/**
 * Folds a name to the key that two spellings share if they mean one tag or one author.
 *
 * Diacritics fall (`Molière` is `Moliere`), but only where they are decoration: the vowel signs of Bengali, Telugu or
 * Devanagari are marks too, and without them words would merge that have nothing to do with each other.
 */

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Characters between words, and the letter-like apostrophes (`обовʼязок` is `обов'язок`). */
const SEPARATORS = /[[^\p{L}\p{N}\p{M}][\u02B9-\u02BF]]+/gv;

/** Soft hyphens, joiners, fillers, variation selectors, and the stroke that only stretches an Arabic word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gv;

/** Accents, points and harakat; of the marks that scripts share, only the voicing of Kana makes another letter. */
const DECORATION =
  /[\p{M}&&[[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]--[\u3099\u309A]]]/gv;

/** Letters of their own that Unicode takes apart: `мой` is not `мои`. `ё` is left out, since print writes it `е`. */
const CYRILLIC_LETTERS = /([йїўѓќ])/u;

/** Strokes, ligatures and a final form, which Unicode does not take apart though readers do. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  æ: "ae",
  œ: "oe",
  ς: "σ",
};
const UNDIVIDED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");

/**
 * The key of a name: NFKC, one case, no decoration, and a single blank between the words.
 *
 * @returns the empty string for a name without a letter or digit, such as `?`
 */
export function fold(name: string): string {
  if (PLAIN_ASCII.test(name)) return words(name.toLowerCase());
  // Upper case first: it is what makes `ß` and `ss`, or the three sigmas, one.
  const oneCase = name.normalize("NFKC").replace(INVISIBLE, "").toUpperCase().toLowerCase();
  const bare = oneCase.normalize("NFKC").split(CYRILLIC_LETTERS).map(withoutDecoration).join("");
  const key = words(bare.replace(UNDIVIDED, (letter) => PLAIN[letter] ?? letter));
  return LETTER_OR_DIGIT.test(key) ? key : "";
}

function words(text: string): string {
  return text.replace(SEPARATORS, " ").trim();
}

/** Splitting by a group puts each of its letters at an odd place: those stay as they are. */
function withoutDecoration(part: string, index: number): string {
  if (index % 2 === 1) return part;
  return part.normalize("NFD").replace(DECORATION, "").normalize("NFC");
}
