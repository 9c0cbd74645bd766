/** A quote as text to paste: in quotation marks of its language, with its author below. */
import { escapeHtml } from "../../contract/escape.ts";
import { quotationMarks } from "../../contract/quotation-marks.ts";
import type { ShownQuote } from "./card.ts";

/** A text that brings its own is not marked twice. */
const MARKED = /^["“”„«»‹›『「].*["“”«»‹›』」]$/su;

/** Makes an editor set the line from the right, whatever letter comes first. */
const RIGHT_TO_LEFT = "\u200F";

function marked({ text, lang }: ShownQuote): string {
  if (MARKED.test(text)) return text;
  const [open, close] = quotationMarks(lang);
  return open + text + close;
}

export function asText(quote: ShownQuote): string {
  const lines = [...marked(quote).split("\n"), `— ${quote.author}`];
  return lines.map((line) => (quote.dir === "rtl" ? RIGHT_TO_LEFT + line : line)).join("\n");
}

export function asMarkdown(quote: ShownQuote): string {
  const lines = marked(quote).split("\n").map(escapeMarkdown).join("\\\n> ");
  return `> ${lines}\n>\n> — [${escapeMarkdown(quote.author)}](<${quote.link}>)\n`;
}

export function asHtml(quote: ShownQuote): string {
  const text = escapeHtml(marked(quote)).replaceAll("\n", "<br>");
  const { lang, dir, author, link } = quote;
  return (
    `<blockquote cite="${escapeHtml(link)}" lang="${escapeHtml(lang)}" dir="${dir}"><p>${text}</p>` +
    `<footer>— <cite><a href="${escapeHtml(link)}">${escapeHtml(author)}</a></cite></footer></blockquote>`
  );
}

function escapeMarkdown(line: string): string {
  return line
    .replace(/[\\`*_[\]<>#|~&]/g, "\\$&")
    .replace(/^(\s*)([-+=])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
}
