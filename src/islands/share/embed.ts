/** The code that shows a quote in another page: a frame where the quote has a page for it, else the quote itself. */
import type { ShownQuote } from "./card.ts";
import { asHtml } from "./formats.ts";

/** @param base the site's base path */
export async function embedCode(quote: ShownQuote, base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}embed/${quote.id}/oembed.json`);
    const told: unknown = answer.ok ? await answer.json() : null;
    const html = told === null ? null : (told as { readonly html?: unknown }).html;
    if (typeof html === "string") return html;
  } catch (error) {
    // Without a connection, or an answer that is no JSON: the quote itself needs neither.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
  return asHtml(quote);
}
