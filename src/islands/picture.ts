/**
 * A picture of a quote, which the reader saves or shares: a dialog with a canvas, drawn with the page's own typefaces and colours,
 * whose text the browser shapes. It is loaded at the first press.
 */
import { quotationMarks } from "../contract/quotation-marks.ts";
import { addToPage, make, pageWords } from "./browser.ts";
import { readCard, type ShownQuote } from "./share.ts";

/** Width and height, in pixels. */
const SIZES = { square: [1080, 1080], tall: [1080, 1920], wide: [1200, 630] } as const;

/** Colour scheme, and the tokens of paper, letters and mark. */
const STYLES = {
  paper: ["light", "--paper", "--ink", "--accent"],
  night: ["dark", "--paper", "--ink", "--accent"],
  colour: ["light", "--accent", "--on-accent", "--on-accent"],
} as const;

type Size = keyof typeof SIZES;
type Style = keyof typeof STYLES;

/** Sizes of letters that are tried, in pixels: the first with which the quote has room. */
const LETTERS = [96, 84, 74, 64, 56, 48, 42, 36, 32, 28];

/** Around the text, as a share of the width. */
const EDGE = 0.09;

/** Of the author and of the site, as a share of the text. */
const SMALL = { author: 0.55, least: 26, site: 24 };

/** Matches a text that begins with a mark of its own. */
const MARKED = /^["'“”„‟«‹›»‘‚「『]/u;

interface Opened {
  readonly card: HTMLElement;
  readonly quote: ShownQuote;
}

let opened: Opened | undefined;
let dialog: HTMLDialogElement | undefined;
const canvas = make("canvas");
const status = make("p", { role: "status" });
const canShare = (file: File): boolean => navigator.canShare?.({ files: [file] }) ?? false;

/** Opens the dialog for the quote of a card. */
export async function openPicture(card: HTMLElement): Promise<void> {
  const quote = readCard(card, pageWords().base);
  opened = { card, quote };
  dialog ??= makeDialog();
  canvas.setAttribute("aria-label", `${quote.quote} — ${quote.author}`);
  // The browser shapes a text by the language of the canvas.
  Object.assign(canvas, { lang: quote.lang, dir: quote.dir });
  dialog.showModal();
  await show();
}

function makeDialog(): HTMLDialogElement {
  const { image, acts, close } = pageWords();
  const group = (name: "size" | "style", values: readonly (Size | Style)[]) =>
    make(
      "fieldset",
      {},
      make("legend", {}, image[name]),
      ...values.map((value, at) => {
        const radio = make("input", { type: "radio", name, value, defaultChecked: at === 0 });
        return make("label", {}, radio, ` ${image[value]}`);
      }),
    );
  const save = make("button", { type: "button" }, image.save);
  const share = make("button", { type: "button", className: "share" }, acts["share"] ?? "");
  save.onclick = () => void withFile(saveFile);
  share.onclick = () => void withFile((file) => navigator.share({ files: [file] }));
  share.hidden = !canShare(new File([], "quote.png", { type: "image/png" }));
  canvas.setAttribute("role", "img");
  const form = make(
    "form",
    { method: "dialog" },
    group("size", Object.keys(SIZES) as Size[]),
    group("style", Object.keys(STYLES) as Style[]),
    make("div", { className: "acts" }, save, share, make("button", { type: "submit" }, close)),
  );
  form.onchange = () => void show();
  const made = make(
    "dialog",
    { id: "picture", ariaLabel: image.name },
    make("h2", {}, image.name),
    canvas,
    status,
    form,
  );
  addToPage(made);
  return made;
}

const chosen = (name: string): string =>
  dialog?.querySelector<HTMLInputElement>(`[name="${name}"]:checked`)?.value ?? "";

async function show(): Promise<void> {
  if (opened === undefined) return;
  const { image } = pageWords();
  const size = chosen("size") as Size;
  status.textContent = "";
  const isDrawn = await draw(opened, SIZES[size], STYLES[chosen("style") as Style]).catch(
    (error: unknown) => {
      status.textContent = image.failed;
      throw error;
    },
  );
  canvas.hidden = !isDrawn;
  for (const button of dialog?.querySelectorAll<HTMLButtonElement>("button[type=button]") ?? [])
    button.disabled = !isDrawn;
  if (!isDrawn) status.textContent = image.tooLong;
}

/** The values of tokens in a colour scheme, as the browser computes them. */
function coloursOf([scheme, ...tokens]: readonly string[]): string[] {
  const probe = make("span");
  probe.style.colorScheme = scheme ?? "";
  dialog?.append(probe);
  const colours = tokens.map((token) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}

/** Splits a text where the browser may break a line, also in languages without blanks. */
function pieces(text: string, lang: string): string[] {
  const words = Array.from(new Intl.Segmenter(lang || "en", { granularity: "word" }).segment(text));
  const joined: string[] = [];
  for (const { segment, isWordLike = false } of words) {
    // Signs stay with the word before them.
    if (joined.length > 0 && !isWordLike && segment !== "\n") joined.push(joined.pop() + segment);
    else joined.push(segment);
  }
  return joined;
}

function linesOf(pen: CanvasRenderingContext2D, words: readonly string[], width: number): string[] {
  const lines = [""];
  for (const word of words) {
    if (word.includes("\n")) {
      lines.push("");
      continue;
    }
    const line = (lines.at(-1) ?? "") + word;
    if (lines.at(-1) !== "" && pen.measureText(line.trimEnd()).width > width) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => line.trim());
}

/** @returns false where the text has no room even with the smallest letters */
async function draw(
  { card, quote }: Opened,
  [width, height]: readonly [number, number],
  style: readonly string[],
): Promise<boolean> {
  const text = card.querySelector("blockquote");
  const pen = canvas.getContext("2d");
  if (text === null || pen === null)
    throw new TypeError("Cannot draw a picture: there is no canvas");
  const { fontFamily, fontSize, lineHeight } = getComputedStyle(text);
  const leading = parseFloat(lineHeight) / parseFloat(fontSize) || 1.4;
  const [paper = "", ink = "", accent = ""] = coloursOf(style);
  Object.assign(canvas, { width, height });
  // Faces of the system, which the page falls back to, may be missing on this machine: their error says nothing of the others.
  const texts = [quote.quote, quote.author];
  await Promise.allSettled(texts.map((text) => document.fonts.load(`48px ${fontFamily}`, text)));
  await document.fonts.ready;
  const edge = Math.round(width * EDGE);
  const isRightToLeft = quote.dir === "rtl";
  const start = isRightToLeft ? width - edge : edge;
  pen.direction = isRightToLeft ? "rtl" : "ltr";
  const by = `— ${quote.author}`;
  const words = pieces(quote.quote, quote.lang);
  const fitted = LETTERS.map((letters) => {
    pen.font = `${letters}px ${fontFamily}`;
    const lines = linesOf(pen, words, width - 2 * edge);
    const small = Math.max(SMALL.least, Math.round(letters * SMALL.author));
    pen.font = `${small}px ${fontFamily}`;
    const names = linesOf(pen, pieces(by, quote.lang), width - 2 * edge);
    const mark = MARKED.test(quote.quote) ? 0 : letters;
    const rows = mark + lines.length * letters * leading + (names.length + 0.8) * small * leading;
    const isWide = lines.some(
      (line) =>
        ((pen.font = `${letters}px ${fontFamily}`), pen.measureText(line).width) > width - 2 * edge,
    );
    return { letters, lines, small, names, mark, rows, isWide };
  }).find(({ rows, isWide }) => !isWide && rows <= height - 2 * edge - SMALL.site);
  if (fitted === undefined) return false;
  const { letters, lines, small, names, mark, rows } = fitted;
  pen.fillStyle = paper;
  pen.fillRect(0, 0, width, height);
  let y = (height - rows - SMALL.site) / 2;
  const write = (line: string, size: number, colour: string): void => {
    pen.font = `${size}px ${fontFamily}`;
    pen.fillStyle = colour;
    y += size * leading;
    pen.fillText(line, start, y - size * leading * 0.28);
  };
  if (mark > 0) {
    pen.font = `${letters * 1.6}px ${fontFamily}`;
    pen.fillStyle = accent;
    const [open] = quotationMarks(quote.lang);
    // Its top is at the top, whether it hangs or stands on the line.
    pen.fillText(open, start, y + pen.measureText(open).actualBoundingBoxAscent);
    y += mark;
  }
  for (const line of lines) write(line, letters, ink);
  y += small * 0.8;
  for (const line of names) write(line, small, ink);
  pen.globalAlpha = 0.7;
  pen.font = `${SMALL.site}px ${fontFamily}`;
  pen.fillText(location.host, start, height - edge / 2);
  pen.globalAlpha = 1;
  return true;
}

async function withFile(use: (file: File) => void | Promise<void>): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) return void (status.textContent = pageWords().image.failed);
  try {
    await use(new File([blob], `quote-${opened?.quote.pk ?? 0}.png`, { type: "image/png" }));
  } catch (error) {
    // The reader cancelled.
    if (!(error instanceof DOMException)) throw error;
  }
}

function saveFile(file: File): void {
  const href = URL.createObjectURL(file);
  make("a", { href, download: file.name }).click();
  // Some browsers read the address after the click.
  setTimeout(() => URL.revokeObjectURL(href), 1_000);
}
