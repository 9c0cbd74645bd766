/** Reads a quote from its card, formats it, and copies it to the clipboard. */
import { beginsWithMark, quotationMarks, sourceText } from "../contract/quotation-marks.ts";
import { escapeHtml } from "../util/text.ts";
import type { Favourite } from "./favourites/store.ts";

/** A quote as favourites store it, with its absolute link. */
export interface ShownQuote extends Favourite {
  readonly link: string;
}

/**
 * @param base the site's base path
 * @throws {TypeError} when the element is no card
 */
export function readCard(card: HTMLElement, base: string): ShownQuote {
  const link = card.querySelector<HTMLAnchorElement>("a.permalink");
  const words = card.querySelector("blockquote");
  if (link === null || words === null) throw new TypeError(`Cannot read ${card.id}: no card`);
  const text = words.textContent.trim();
  const source = textOf(card, ".source");
  const pathOf = (to: HTMLAnchorElement | null): string =>
    to === null ? "" : `/${to.pathname.slice(base.length)}${to.hash}`;
  return {
    pk: Number(card.dataset["pk"]),
    quote: "straight" in words.dataset ? sourceText(text) : text,
    author: textOf(card, ".by"),
    lang: card.lang,
    dir: card.dir === "rtl" ? "rtl" : "ltr",
    path: pathOf(link),
    by: pathOf(card.querySelector(".by a")),
    tags: Array.from(card.querySelectorAll(".tag"), (tag) => [
      tag.textContent.trim(),
      pathOf(tag.querySelector("a")),
    ]),
    ...(source === "" ? {} : { source }),
    link: link.href,
  };
}

const textOf = (card: HTMLElement, selector: string): string =>
  card.querySelector(selector)?.textContent.trim() ?? "";

/** What follows the author: a comma and the source, if it is known. */
const sourceOf = ({ source }: ShownQuote): string => (source ? `, ${source}` : "");

/** Makes an editor set a line from right to left, also one that begins with a Latin letter. */
const RIGHT_TO_LEFT_MARK = "\u200F";

function marked({ quote, lang }: ShownQuote): string {
  if (beginsWithMark(quote)) return quote;
  const [open, close] = quotationMarks(lang);
  return open + quote + close;
}

export function asText(quote: ShownQuote): string {
  const lines = [...marked(quote).split("\n"), `— ${quote.author}${sourceOf(quote)}`];
  return lines.map((line) => (quote.dir === "rtl" ? RIGHT_TO_LEFT_MARK + line : line)).join("\n");
}

export function asMarkdown(quote: ShownQuote): string {
  const lines = marked(quote).split("\n").map(escapeMarkdown).join("\\\n> ");
  return `> ${lines}\n>\n> — [${escapeMarkdown(quote.author)}](<${quote.link}>)${escapeMarkdown(sourceOf(quote))}\n`;
}

export function asHtml(quote: ShownQuote): string {
  const text = escapeHtml(marked(quote)).replaceAll("\n", "<br>");
  const { lang, dir, author, link } = quote;
  return (
    `<blockquote cite="${escapeHtml(link)}" lang="${escapeHtml(lang)}" dir="${dir}"><p>${text}</p>` +
    `<footer>— <cite><a href="${escapeHtml(link)}">${escapeHtml(author)}</a></cite>${escapeHtml(sourceOf(quote))}</footer></blockquote>`
  );
}

function escapeMarkdown(line: string): string {
  return line
    .replace(/[\\`*_[\]<>#|~&]/g, "\\$&")
    .replace(/^(\s*)([-+=])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

const TEXTS: Readonly<
  Record<string, (quote: ShownQuote, base: string) => string | Promise<string>>
> = {
  text: asText,
  markdown: asMarkdown,
  html: asHtml,
  link: ({ link }) => link,
  share: (quote) => `${asText(quote)}\n${quote.link}`,
  embed: embedCode,
};

/**
 * Copies a quote. In Safari the permission of a click ends with the next request, so the copy begins before the text is
 * loaded.
 *
 * @param format a key of `TEXTS`
 * @param base the site's base path
 * @returns false when the browser refuses
 */
export async function copyQuote(quote: ShownQuote, format: string, base: string): Promise<boolean> {
  const text = (TEXTS[format] ?? asText)(quote, base);
  // An editor inserts the formatted quote, a text field its source.
  const types = format === "html" ? ["text/html", "text/plain"] : ["text/plain"];
  const blob = async (type: string): Promise<Blob> => new Blob([await text], { type });
  const item = new ClipboardItem(Object.fromEntries(types.map((type) => [type, blob(type)])));
  try {
    await navigator.clipboard.write([item]);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Code to embed a quote: a frame where the quote has an embed page, otherwise the HTML of the quote. */
async function embedCode(quote: ShownQuote, base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}embed/${quote.pk}/oembed.json`);
    const oEmbed = (answer.ok ? await answer.json() : null) as { readonly html?: unknown } | null;
    if (typeof oEmbed?.html === "string") return oEmbed.html;
  } catch (error) {
    // There is no connection, or the answer is not JSON.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
  return asHtml(quote);
}
