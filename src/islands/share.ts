/** A quote as its card shows it, as text to paste in one of several formats, and on the clipboard. */
import { escapeHtml, quotationMarks } from "../contract/text.ts";
import type { Kept } from "./favourites/store.ts";

/** A quote as favourites keep it, and its absolute link. */
export interface ShownQuote extends Kept {
  readonly link: string;
}

/**
 * @param base the site's base path
 * @throws {TypeError} when the element is no card
 */
export function readCard(card: HTMLElement, base: string): ShownQuote {
  const link = card.querySelector<HTMLAnchorElement>("a.permalink");
  const text = card.querySelector("blockquote")?.textContent;
  if (link === null || text === undefined) throw new TypeError(`Cannot read ${card.id}: no card`);
  const pathOf = (to: HTMLAnchorElement | null): string =>
    to === null ? "" : `/${to.pathname.slice(base.length)}${to.hash}`;
  return {
    pk: Number(card.dataset["pk"]),
    quote: text.trim(),
    author: card.querySelector(".by")?.textContent.trim() ?? "",
    lang: card.lang,
    dir: card.dir === "rtl" ? "rtl" : "ltr",
    path: pathOf(link),
    by: pathOf(card.querySelector(".by a")),
    tags: Array.from(card.querySelectorAll(".tag"), (tag) => [
      tag.textContent.trim(),
      pathOf(tag.querySelector("a")),
    ]),
    link: link.href,
  };
}

/** A text that brings its own is not marked twice. */
const MARKED = /^["“”„«»‹›『「].*["“”«»‹›』」]$/su;

/** Makes an editor set the line from the right, whatever letter comes first. */
const RIGHT_TO_LEFT = "\u200F";

function marked({ quote, lang }: ShownQuote): string {
  if (MARKED.test(quote)) return quote;
  const [open, close] = quotationMarks(lang);
  return open + quote + close;
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

const TEXTS: Readonly<
  Record<string, (quote: ShownQuote, base: string) => string | Promise<string>>
> = {
  text: asText,
  markdown: asMarkdown,
  html: asHtml,
  link: ({ link }) => link,
  embed: embedCode,
};

/**
 * A reader's gesture lasts in Safari until the next request, so the copy begins before a text that has to be asked for.
 *
 * @param format a key of `TEXTS`
 * @param base the site's base path
 * @returns false when the browser refuses
 */
export async function copyQuote(quote: ShownQuote, format: string, base: string): Promise<boolean> {
  const text = (TEXTS[format] ?? asText)(quote, base);
  // An editor takes the quote set as it is, a text field its source.
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

/** The code that shows a quote in another page: a frame where the quote has a page for it, else the quote itself. */
async function embedCode(quote: ShownQuote, base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}embed/${quote.pk}/oembed.json`);
    const oEmbed = (answer.ok ? await answer.json() : null) as { readonly html?: unknown } | null;
    if (typeof oEmbed?.html === "string") return oEmbed.html;
  } catch (error) {
    // Without a connection, or an answer that is no JSON: the quote itself needs neither.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
  return asHtml(quote);
}
