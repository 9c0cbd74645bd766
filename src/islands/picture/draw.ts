/**
 * Draws a quote on a canvas with the page's own typefaces. The browser shapes the text, and it breaks the lines: they are read from
 * an invisible paragraph, so the rules of each script hold as on the page.
 */
import { beginsWithMark, quotationMarks } from "../../contract/quotation-marks.ts";
import { make } from "../browser.ts";
import type { ShownQuote } from "../share.ts";

/** CSS colours. */
export interface Colours {
  readonly paper: string;
  readonly ink: string;
  readonly mark: string;
}

/** Font sizes that are tried, in pixels: the first with which the quote has room. */
const FONT_SIZES = [96, 84, 74, 64, 56, 48, 42, 36, 32, 28, 24];

/** Space around the text, as a share of the width. */
const EDGE = 0.09;

/** Font size of the author, as a share of the quote's, and in pixels at least. */
const AUTHOR = { share: 0.55, least: 26 };

/** Space above the author, as a share of its font size. */
const AUTHOR_SPACE = 0.8;

/** Font size of the quotation mark, as a share of the quote's. */
const MARK = 1.6;

/** Font size of the site's address, in pixels. */
const ADDRESS = 24;

/** From the lower edge of a line to its baseline, as a share of the line's height. */
const DESCENT = 0.28;

/**
 * Loads the faces of a quote and its author.
 *
 * @param words the quote's text on the page
 */
export async function loadFaces(words: HTMLElement, { quote, author }: ShownQuote): Promise<void> {
  const { fontFamily, fontWeight } = getComputedStyle(words);
  const font = `${fontWeight} 48px ${fontFamily}`;
  // A face of the system may be missing on this machine: its error says nothing of the others.
  await Promise.allSettled([quote, author].map((text) => document.fonts.load(font, text)));
}

/** What stands where on a picture: font sizes and heights in pixels. */
interface Layout {
  readonly size: number;
  readonly lines: readonly string[];
  readonly authorSize: number;
  readonly authorLines: readonly string[];
  /** Height of the quotation mark; 0 for a text that begins with one. */
  readonly mark: number;
  readonly height: number;
}

/**
 * @param words the quote's text on the page, whose typeface is used
 * @returns false where the text has no room even with the smallest letters: then nothing is drawn
 */
export function drawPicture(
  canvas: HTMLCanvasElement,
  words: HTMLElement,
  quote: ShownQuote,
  [width, height]: readonly [number, number],
  colours: Colours,
): boolean {
  const pen = canvas.getContext("2d");
  if (pen === null) throw new TypeError("Cannot draw a picture: there is no canvas");
  const { fontFamily, fontWeight, fontSize, lineHeight } = getComputedStyle(words);
  const leading = parseFloat(lineHeight) / parseFloat(fontSize) || 1.4;
  const edge = Math.round(width * EDGE);
  const ruler = makeRuler(words, quote, width - 2 * edge);
  canvas.before(ruler);
  const layout = layOut(
    ruler,
    words.textContent.trim(),
    quote,
    leading,
    height - 2 * edge - ADDRESS,
  );
  ruler.remove();
  if (layout === undefined) return false;
  const { size, lines, authorSize, authorLines, mark } = layout;

  Object.assign(canvas, { width, height });
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, width, height);
  pen.direction = quote.dir;
  const start = quote.dir === "rtl" ? width - edge : edge;
  const put = (text: string, size: number, colour: string, y: number): void => {
    pen.font = `${fontWeight} ${size}px ${fontFamily}`;
    pen.fillStyle = colour;
    pen.fillText(text, start, y);
  };
  let y = (height - layout.height - ADDRESS) / 2;
  if (mark > 0) {
    const [open] = quotationMarks(quote.lang);
    pen.font = `${fontWeight} ${size * MARK}px ${fontFamily}`;
    // Its top is at the top, whether it hangs or stands on the line.
    put(open, size * MARK, colours.mark, y + pen.measureText(open).actualBoundingBoxAscent);
    y += mark;
  }
  const putLines = (lines: readonly string[], size: number): void => {
    for (const line of lines) {
      y += size * leading;
      put(line, size, colours.ink, y - size * leading * DESCENT);
    }
  };
  putLines(lines, size);
  y += authorSize * AUTHOR_SPACE;
  putLines(authorLines, authorSize);
  pen.globalAlpha = 0.7;
  put(location.host, ADDRESS, colours.ink, height - edge / 2);
  pen.globalAlpha = 1;
  return true;
}

/** Sets a text with the largest letters that have room. @param room height, in pixels */
function layOut(
  ruler: HTMLElement,
  text: string,
  { author, source }: ShownQuote,
  leading: number,
  room: number,
): Layout | undefined {
  const by = `— ${author}${source ? `, ${source}` : ""}`;
  const isMarked = beginsWithMark(text);
  for (const size of FONT_SIZES) {
    // A word that is wider than the picture is broken where no smaller letters are left.
    ruler.style.overflowWrap = size === FONT_SIZES.at(-1) ? "anywhere" : "normal";
    const authorSize = Math.max(AUTHOR.least, Math.round(size * AUTHOR.share));
    const lines = linesOf(ruler, text, size);
    const authorLines = linesOf(ruler, by, authorSize);
    const mark = isMarked ? 0 : size;
    const author = (authorLines.length + AUTHOR_SPACE) * authorSize;
    const height = mark + (lines.length * size + author) * leading;
    if (lines.length > 0 && authorLines.length > 0 && height <= room)
      return { size, lines, authorSize, authorLines, mark, height };
  }
  return undefined;
}

/** An invisible paragraph as wide as the text of the picture, with the quote's typeface and rules for breaks. */
function makeRuler(words: HTMLElement, { lang, dir }: ShownQuote, width: number): HTMLElement {
  const ruler = make("p", { lang, dir });
  const { fontFamily, fontWeight, wordBreak, lineBreak } = getComputedStyle(words);
  Object.assign(ruler.style, {
    ...{ position: "fixed", visibility: "hidden", inlineSize: `${width}px`, hyphens: "none" },
    ...{ whiteSpace: "pre-line", textWrap: "balance" },
    ...{ fontFamily, fontWeight, wordBreak, lineBreak },
  });
  return ruler;
}

/** Breaks a text into lines as the browser does. @returns none where a word is wider than the paragraph */
function linesOf(ruler: HTMLElement, text: string, size: number): string[] {
  ruler.style.fontSize = `${size}px`;
  ruler.textContent = text;
  const [node] = ruler.childNodes;
  if (node === undefined || ruler.scrollWidth > ruler.clientWidth) return [];
  const range = document.createRange();
  const lines: string[] = [];
  let lineTop = -Infinity;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    range.setStart(node, index);
    range.setEnd(node, index + segment.length);
    const { top, height } = range.getBoundingClientRect();
    // A blank at the end of a line has no box; an empty line is a box of its own.
    const isNext = height > 0 && top > lineTop + height / 2;
    if (isNext) lineTop = top;
    if (isNext || lines.length === 0) lines.push(segment);
    else lines[lines.length - 1] += segment;
  }
  return lines.map((line) => line.trim());
}
