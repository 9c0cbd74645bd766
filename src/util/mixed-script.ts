/**
 * Finds words whose letters come from several scripts, such as a Latin name with a Cyrillic А: no eye tells them apart.
 *
 * It is the level "highly restrictive" of Unicode's security mechanisms (UTS 39, section 5.2), applied to each word.
 */

/** Scripts with letters that are written in words, and so may be mixed. */
const SCRIPTS = [
  ...["Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Coptic", "Cherokee", "Hebrew"],
  ...["Arabic", "Syriac", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil"],
  ...["Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer"],
  ...["Ethiopic", "Mongolian", "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Lisu"],
  ...["Gothic", "Glagolitic", "Tifinagh", "Vai", "Canadian_Aboriginal", "Nko", "Yi", "Runic"],
].map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, "u") }));

/** Scripts that are written together. */
const TOGETHER = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** @returns the scripts of the first word that mixes them, in its order; null where no word does */
export function mixedScripts(text: string): readonly string[] | null {
  if (/^[\0-\x7f]*$/.test(text)) return null;
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const used = new Set<string>();
    for (const letter of word.match(/\p{L}/gu) ?? []) {
      const script = SCRIPTS.find((one) => one.letter.test(letter));
      if (script !== undefined) used.add(script.name);
    }
    const isUsual = used.size < 2 || TOGETHER.some((set) => used.isSubsetOf(new Set(set)));
    if (!isUsual) return [...used];
  }
  return null;
}
