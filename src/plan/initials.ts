/**
 * Groups authors for their index by the first letter of the folded name.
 *
 * A script with thousands of characters is one group.
 */
import { LETTERS, type Script } from "../contract/languages.ts";

export interface InitialGroup {
  /** A letter of any script, `漢` for all Han characters, `#` for digits and signs. */
  readonly label: string;
  /** Part of its address: `/authors/<slug>/`. */
  readonly slug: string;
}

/** Names that start with a digit or a sign: the last group. */
const OTHERS: InitialGroup = { label: "#", slug: "0-9" };

/** Scripts without an alphabet to sort an index by. */
const WHOLE_SCRIPTS: readonly (readonly [RegExp, InitialGroup])[] = [
  [/^\p{Script=Han}/u, { label: "漢", slug: "han" }],
  [/^\p{Script=Hangul}/u, { label: "한", slug: "hangul" }],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}]/u, { label: "あ", slug: "kana" }],
  [/^\p{Script=Ethiopic}/u, { label: "አ", slug: "ethiopic" }],
];

/** @param key an author's key, as `planTerms` gives it */
export function initialOf(key: string): InitialGroup {
  const [letter = ""] = key;
  if (!/^\p{L}/u.test(letter)) return OTHERS;
  const whole = WHOLE_SCRIPTS.find(([script]) => script.test(letter));
  if (whole !== undefined) return whole[1];
  // Georgian capitals are used for words in all capitals only, and few typefaces have them.
  const label = /^\p{Script=Georgian}/u.test(letter) ? letter : letter.toUpperCase();
  return { label, slug: letter };
}

/**
 * Compares groups: the readers' own script first, then other scripts in the order of Unicode (Latin, Greek, Cyrillic, …
 * Han, Hangul), digits and signs last.
 */
export function initialsInOrder(readers: Script): (a: InitialGroup, b: InitialGroup) => number {
  const own = LETTERS[readers];
  const part = ({ label, slug }: InitialGroup): number => {
    if (slug === OTHERS.slug) return 2;
    return own?.test(label) === true ? 0 : 1;
  };
  // By label: the slug of a whole script is a Latin word.
  const sign = ({ label }: InitialGroup): number => label.toLowerCase().codePointAt(0) ?? 0;
  return (a, b) => part(a) - part(b) || sign(a) - sign(b) || (a.slug < b.slug ? -1 : 1);
}
