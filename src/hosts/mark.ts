/**
 * The first line of `_headers` and `_redirects`, which hosts pass over: by it we know our own file again where the state that
 * knew it is lost.
 *
 * It holds a digest of the lines below it, so a file that was edited since is not removed.
 */
import { hash } from "node:crypto";

const WORDS = "# Made by Commonplace, and made anew by each build: ";
const DIGITS = 16;

/** What it takes of the bytes that a host allows. */
export const MARK_BYTES = WORDS.length + DIGITS + 1;

/** Files that bear it. JSON has no comments, so `vercel.json` cannot. */
export const MARKED_FILES: readonly string[] = ["_headers", "_redirects"];

export function marked(text: string): string {
  return markOf(text) + text;
}

export function isMarked(text: string): boolean {
  const below = text.slice(MARK_BYTES);
  return text.startsWith(markOf(below));
}

const markOf = (text: string): string =>
  `${WORDS}${hash("sha256", text, "hex").slice(0, DIGITS)}\n`;
