/** Puts a quote on the clipboard, in the form that was asked for. */
import type { ShownQuote } from "./card.ts";
import { asHtml, asMarkdown, asText } from "./formats.ts";

export const FORMATS = ["text", "markdown", "html", "link"] as const;
export type Format = (typeof FORMATS)[number];

/** @returns false when the browser did not let us */
export async function copyQuote(quote: ShownQuote, format: Format): Promise<boolean> {
  try {
    if (format === "html") {
      // An editor takes the quote set as it is, a text field its source.
      const html = asHtml(quote);
      const both = { "text/html": blob(html, "text/html"), "text/plain": blob(html, "text/plain") };
      await navigator.clipboard.write([new ClipboardItem(both)]);
    } else {
      const text = { text: asText, markdown: asMarkdown, link: (q: ShownQuote) => q.link };
      await navigator.clipboard.writeText(text[format](quote));
    }
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** @returns false when the browser did not let us */
export async function copyCode(code: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

const blob = (text: string, type: string): Blob => new Blob([text], { type });
