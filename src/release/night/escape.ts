/** Upstream text in Markdown: shown as the letters it is made of, whatever they mean in Markdown or HTML. */
import { printable } from "../../contract/printable.ts";

/** Everything that CommonMark, GitHub's tables, mentions and autolinks give a meaning to. */
const MEANS = /[\\`*_{}[\]()<>#+\-.!|~=@:&$"'/]/g;

/** For the running text and table cells. Character references mean nothing but their letter, also where links are guessed. */
export function plain(text: string, most?: number): string {
  return printable(text, most).replace(MEANS, (letter) => `&#${letter.charCodeAt(0)};`);
}
