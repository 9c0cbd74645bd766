/** Puts a quote on the clipboard: in one of several formats, or as the code that embeds it. */
import { asHtml, asMarkdown, asText, type ShownQuote } from "./quote-text.ts";

const TEXTS: Readonly<Record<string, (quote: ShownQuote) => string>> = {
  text: asText,
  markdown: asMarkdown,
  html: asHtml,
  link: ({ link }) => link,
};

/**
 * @param format a key of `TEXTS`
 * @returns false when the browser refuses
 */
export function copyQuote(quote: ShownQuote, format: string): Promise<boolean> {
  const text = (TEXTS[format] ?? asText)(quote);
  if (format !== "html") return copyText(text);
  // An editor takes the quote set as it is, a text field its source.
  const blob = (type: string): Blob => new Blob([text], { type });
  const both = { "text/html": blob("text/html"), "text/plain": blob("text/plain") };
  return isDone(navigator.clipboard.write([new ClipboardItem(both)]));
}

/** @returns false when the browser refuses */
export function copyText(text: string): Promise<boolean> {
  return isDone(navigator.clipboard.writeText(text));
}

async function isDone(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * The code that shows a quote in another page: a frame where the quote has a page for it, else the quote itself.
 *
 * @param base the site's base path
 */
export async function embedCode(quote: ShownQuote, base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}embed/${quote.id}/oembed.json`);
    const oEmbed = (answer.ok ? await answer.json() : null) as { readonly html?: unknown } | null;
    if (typeof oEmbed?.html === "string") return oEmbed.html;
  } catch (error) {
    // Without a connection, or an answer that is no JSON: the quote itself needs neither.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
  return asHtml(quote);
}
