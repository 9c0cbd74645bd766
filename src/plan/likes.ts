/**
 * How exact a number of likes is shown. Votes come every night; were each of them shown, each would make every page
 * again that its quote is on, though no reader would see a difference.
 */

/** Below 100 exact, above cut to two significant figures: 1,234 is 1,200. */
export function shownLikes(likes: number): number {
  const size = Math.abs(likes);
  if (size < 100) return likes;
  // Digits are counted in text: a logarithm of 1,000 may come out just below 3.
  const step = 10 ** (String(size).length - 2);
  return Math.trunc(likes / step) * step;
}
