/** The dialog that makes a picture of a quote, which the reader saves or shares. It is loaded at the first press. */
import rules from "../../styles/picture.css?inline";
import { addToPage, make, pageWords } from "../browser.ts";
import { addSheet } from "../own-sheet.ts";
import { readCard, type ShownQuote } from "../share.ts";
import { drawPicture, loadFaces, type Colours } from "./draw.ts";

/** Width and height, in pixels. */
const SIZES = { square: [1080, 1080], tall: [1080, 1920], wide: [1200, 630] } as const;

/** Colour scheme, and the tokens of paper, text and mark. */
const STYLES = {
  paper: ["light", "--paper", "--ink", "--accent"],
  night: ["dark", "--paper", "--ink", "--accent"],
  colour: ["light", "--accent", "--on-accent", "--on-accent"],
} as const;

type Size = keyof typeof SIZES;
type Style = keyof typeof STYLES;

let quote: ShownQuote | undefined;
let words: HTMLQuoteElement | undefined;
let dialog: HTMLDialogElement | undefined;
const canvas = make("canvas");
const status = make("p", { role: "status" });

/** Opens the dialog for the quote of a card. */
export async function openPicture(card: HTMLElement): Promise<void> {
  quote = readCard(card, pageWords().base);
  words = card.querySelector("blockquote") ?? undefined;
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
        return make("label", {}, radio, image[value]);
      }),
    );
  const save = make("button", { type: "button" }, image.save);
  const share = make("button", { type: "button", className: "share" }, acts["share"] ?? "");
  save.onclick = () => void withFile(saveFile);
  share.onclick = () => void withFile((file) => navigator.share({ files: [file] }));
  const sample = new File([], "quote.png", { type: "image/png" });
  share.hidden = navigator.canShare?.({ files: [sample] }) !== true;
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
  addSheet(rules);
  addToPage(made);
  return made;
}

/** Draws what is chosen; a text without room says what to do instead. */
async function show(): Promise<void> {
  if (dialog === undefined || quote === undefined || words === undefined) return;
  const { image } = pageWords();
  // Until it is drawn there is nothing to save.
  allowFile(false);
  await loadFaces(words, quote);
  // Read after the wait: of two changes, both draw the second.
  const size = SIZES[chosen("size") as Size];
  const colours = coloursOf(STYLES[chosen("style") as Style]);
  const isDrawn = drawPicture(canvas, words, quote, size, colours);
  status.textContent = isDrawn ? "" : image.tooLong;
  canvas.hidden = !isDrawn;
  allowFile(isDrawn);
}

function allowFile(isAllowed: boolean): void {
  for (const button of dialog?.querySelectorAll<HTMLButtonElement>("button[type=button]") ?? [])
    button.disabled = !isAllowed;
}

const chosen = (name: string): string =>
  dialog?.querySelector<HTMLInputElement>(`[name="${name}"]:checked`)?.value ?? "";

/** The values of tokens in a colour scheme, as the browser computes them. */
function coloursOf([scheme, paper, ink, mark]: (typeof STYLES)[Style]): Colours {
  const probe = make("span");
  Object.assign(probe.style, { colorScheme: scheme, forcedColorAdjust: "none" });
  dialog?.append(probe);
  const valueOf = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = { paper: valueOf(paper), ink: valueOf(ink), mark: valueOf(mark) };
  probe.remove();
  return colours;
}

async function withFile(use: (file: File) => void | Promise<void>): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) return void (status.textContent = pageWords().image.failed);
  try {
    await use(new File([blob], `quote-${quote?.pk ?? 0}.png`, { type: "image/png" }));
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
