/**
 * Groups authors for the index: by the first letter of the folded name, in every script.
 *
 * Scripts of thousands of signs would make thousands of groups, so each of them is one.
 */
import { LETTERS, type Script } from "../contract/languages.ts";

export interface InitialGroup {
  /** As the row of letters shows it. */
  readonly label: string;
  /** As `/authors/<slug>/` has it. */
  readonly slug: string;
}

/** Names that start with a digit or a sign; comes last. */
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
  const [letter = ""] = key;
  if (!/^\p{L}/u.test(letter)) return OTHERS;
  const whole = WHOLE_SCRIPTS.find(([script]) => script.test(letter));
  if (whole !== undefined) return whole[1];
  // Georgian has capitals for whole words in capitals alone, and few typefaces carry them.
  const label = /^\p{Script=Georgian}/u.test(letter) ? letter : letter.toUpperCase();
  return { label, slug: letter };
}

/**
 * The order of the index: the script that its readers read in, the other scripts one after another as Unicode has them
 * (Latin, Greek, Cyrillic, … Han, Hangul), digits and signs last.
 */
export function initialsInOrder(readers: Script): (a: InitialGroup, b: InitialGroup) => number {
  const own = LETTERS[readers];
  const part = ({ label, slug }: InitialGroup): number => {
    if (slug === OTHERS.slug) return 2;
    return own?.test(label) === true ? 0 : 1;
  };
  // A group of a whole script comes where its sign does, not where its slug would.
  const sign = ({ label }: InitialGroup): number => label.toLowerCase().codePointAt(0) ?? 0;
  return (a, b) => part(a) - part(b) || sign(a) - sign(b) || (a.slug < b.slug ? -1 : 1);
}
