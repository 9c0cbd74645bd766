/** What a message says about a mistake in a file of the fork: the line it is on, and the word that was meant. */
import { distance } from "fastest-levenshtein";

/**
 * The line of a key, as messages add it to the name of a file.
 *
 * The text is searched, not parsed: each key of the path after the one before it.
 *
 * @param path keys from the outside in
 * @returns ":3", or nothing where the keys are not found
 */
export function lineOf(text: string, path: readonly string[]): string {
  let at = -1;
  for (const key of path) {
    const found = new RegExp(`["']?\\b${RegExp.escape(key)}\\b["']?\\s*:`).exec(text.slice(at + 1));
    if (found === null) break;
    at += 1 + found.index;
  }
  return at < 0 ? "" : `:${text.slice(0, at).split("\n").length}`;
}

/** @returns `; did you mean "title"?`, or nothing where no known word is similar */
export function suggestion(word: string, known: readonly string[]): string {
  const similar = known
    .map((candidate) => ({
      candidate,
      steps: distance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, steps }) => steps <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.steps - b.steps);
  return similar[0] === undefined ? "" : `; did you mean ${JSON.stringify(similar[0].candidate)}?`;
}
