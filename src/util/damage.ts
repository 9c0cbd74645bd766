/**
 * Texts that were damaged on their way: one server of several writes `?` for what its character set does not have, reads UTF-8 as
 * Latin-1 (`Ã©` for `é`), or sends excerpts.
 */

/** What stands for lost letters, and the letters that are lost. */
const LOST = /[?\uFFFD]+/g;
const LOSABLE = /[^\x00-\x7F]+|\?+/g;
/** A mark of a question is none before a letter or beside another one. */
const SIGN = /\uFFFD|\?\?|\?(?=\p{L})/u;
/** The first byte of a character in UTF-8 and one of the others, as Latin-1 or Windows-1252 shows them; of `à` a blank is left. */
const MISREAD = /Ã |[\u00C2-\u00F4][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;
/** What such a reading changes, and the blanks that it leaves. */
const MISREADABLE = /[^\x21-\x7E]+/g;

/** What stands for the rest of a text. */
const REST = /\s*(?:…|\.{3}|[[(](?:…|\.{3})[\])])$/;
/** Code units of an excerpt: a shorter text may be an author's own. */
const LEAST_EXCERPT = 20;

/** Whether a text has what stands for lost letters, for misread ones, or for its rest. */
export const mayBeDamaged = (text: string): boolean =>
  /[?\uFFFD]/.test(text) || count(MISREAD, text) > 0 || REST.test(text);

/** Whether a text by itself looks damaged, as few whole ones do. */
export const looksDamaged = (text: string): boolean => SIGN.test(text) || count(MISREAD, text) > 0;

/**
 * Whether a text is another one that lost letters, or other signs outside of ASCII inside of words, or had them misread; or its
 * beginning, which says so.
 */
export function isDamaged(text: string, whole: string): boolean {
  if (text === whole || !mayBeDamaged(text)) return false;
  return hasLost(text, whole) || isMisread(text, whole) || isExcerpt(text, whole);
}

function isExcerpt(text: string, whole: string): boolean {
  const begins = text.replace(REST, "");
  const isCut = begins.length < text.length && whole.length > text.length;
  return isCut && begins.length >= LEAST_EXCERPT && whole.startsWith(begins);
}

function hasLost(text: string, whole: string): boolean {
  if (text.replace(LOST, "\uFFFD") !== whole.replace(LOSABLE, "\uFFFD")) return false;
  const lacks = (signs: RegExp): boolean => count(signs, text) < count(signs, whole);
  return lacks(/\p{L}/gu) || (SIGN.test(text) && lacks(/(?!\uFFFD)[^\x00-\x7F]/gu));
}

const isMisread = (text: string, whole: string): boolean =>
  count(MISREAD, text) > count(MISREAD, whole) &&
  text.replace(MISREADABLE, "") === whole.replace(MISREADABLE, "");

const count = (signs: RegExp, text: string): number => text.match(signs)?.length ?? 0;
