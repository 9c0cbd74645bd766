/** Upstream text in Markdown: shown as the letters it is made of, whatever they mean in Markdown or HTML. */
import { printable } from "../contract/printable.ts";

/**
 * Everything that CommonMark, GitHub's tables, mathematics, emoji and guessed links give a meaning to, inside of a line
 * and at its beginning.
 */
const MEANS = /[\\`*_[\]<>#|~@:&!$.]|^[-+=]/g;

/** For running text, list items and table cells. */
export function plain(text: string, most?: number): string {
  return printable(text, most).replace(MEANS, "\\$&");
}
