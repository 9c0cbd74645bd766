/**
 * Groups authors for the index: by the first letter of the folded name, whatever the script.
 *
 * Scripts of thousands of signs would make thousands of groups, so each of them is one.
 */

export interface InitialGroup {
  /** As the row of letters shows it. */
  readonly label: string;
  /** As `/authors/<slug>/` has it. */
  readonly slug: string;
}

/** Digits, signs, and whatever starts with neither a letter nor a digit; comes last. */
const OTHERS: InitialGroup = { label: "#", slug: "0-9" };

/** Scripts without an alphabet in the sense of an index. */
const WHOLE_SCRIPTS: readonly (readonly [RegExp, InitialGroup])[] = [
  [/^\p{Script=Han}/u, { label: "漢", slug: "han" }],
  [/^\p{Script=Hangul}/u, { label: "한", slug: "hangul" }],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}]/u, { label: "あ", slug: "kana" }],
  [/^\p{Script=Ethiopic}/u, { label: "አ", slug: "ethiopic" }],
];

/** @param key an author's key, as `planTerms` gives it */
export function initialOf(key: string): InitialGroup {
  const first = key.codePointAt(0);
  const letter = first === undefined ? "" : String.fromCodePoint(first);
  if (!/^\p{L}/u.test(letter)) return OTHERS;
  const whole = WHOLE_SCRIPTS.find(([script]) => script.test(letter));
  if (whole !== undefined) return whole[1];
  // Georgian has capitals for whole words in capitals alone, and few typefaces carry them.
  const label = /^\p{Script=Georgian}/u.test(letter) ? letter : letter.toUpperCase();
  return { label, slug: letter };
}

/** Latin first and the rest by code point, as the keys are; digits and signs last. */
export function compareInitials(a: InitialGroup, b: InitialGroup): number {
  if (a.slug === b.slug) return 0;
  if (a.slug === OTHERS.slug) return 1;
  if (b.slug === OTHERS.slug) return -1;
  return a.slug < b.slug ? -1 : 1;
}
