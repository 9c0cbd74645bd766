/** Texts that lost letters on their way: one server of several writes `?` for what its character set does not have. */

/** What stands for lost letters, and the letters that are lost. */
const LOST = /[?\uFFFD]+/g;
const LOSABLE = /[^\x00-\x7F]+|\?+/g;
/** A mark of a question is none before a letter or beside another one. */
const SIGN = /\uFFFD|\?\?|\?(?=\p{L})/u;

/** Whether a text has what stands for lost letters. */
export const mayBeDamaged = (text: string): boolean => /[?\uFFFD]/.test(text);

/** Whether a text is another one that lost letters, or other signs outside of ASCII inside of words. */
export function isDamaged(text: string, whole: string): boolean {
  if (text === whole || !mayBeDamaged(text)) return false;
  if (text.replace(LOST, "\uFFFD") !== whole.replace(LOSABLE, "\uFFFD")) return false;
  const lacks = (signs: RegExp): boolean => count(signs, text) < count(signs, whole);
  return lacks(/\p{L}/gu) || (SIGN.test(text) && lacks(/(?!\uFFFD)[^\x00-\x7F]/gu));
}

const count = (signs: RegExp, text: string): number => text.match(signs)?.length ?? 0;
