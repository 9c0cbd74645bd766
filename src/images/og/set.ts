/** Lays out text with Pango, which sharp contains, as a mask or as its size alone. */
import sharp, { type SharpOptions } from "sharp";
import type { Mask, Space } from "./canvas.ts";
import type { Language, Script } from "../../contract/languages.ts";
import { SCRIPT_SETTINGS } from "../../contract/scripts.ts";
import { escapeHtml } from "../../util/text.ts";

interface Face {
  /** In the order in which Pango looks for a character. */
  readonly families: readonly string[];
  /** Line height as a share of the font's own: large text needs less. */
  readonly leading: number;
  /** Size as a share of Latin's, so that all scripts look equally large. */
  readonly scale: number;
}

const SOURCE = "Source Serif 4";

/** The code of `SCRIPT_SETTINGS`, typefaces and leading of each script; Source Serif covers some others, such as Greek. */
const ROWS = {
  latin: ["Latn", [SOURCE], 0.88],
  cyrillic: ["Cyrl", [SOURCE], 0.88],
  greek: ["Grek", [SOURCE], 0.88],
  other: ["Latn", [SOURCE], 0.88],
  // The Latin letters of this Naskh have no serifs, so those of Source Serif come first.
  arabic: ["Arab", [SOURCE, "Noto Naskh Arabic"], 0.92],
  hebrew: ["Hebr", ["Noto Serif Hebrew"], 1.06],
  devanagari: ["Deva", ["Noto Serif Devanagari"], 0.9],
  bengali: ["Beng", ["Noto Serif Bengali"], 0.9],
  telugu: ["Telu", ["Noto Serif Telugu"], 1.06],
} as const satisfies Readonly<Record<Script, readonly [string, readonly string[], number]>>;

const faceOf = (script: Script): Face => {
  const [code, families, leading] = ROWS[script];
  return { families, leading, scale: SCRIPT_SETTINGS[code]?.optical ?? 1 };
};

/** `other` is any other script. */
export const FACES = Object.fromEntries(
  (Object.keys(ROWS) as Script[]).map((script) => [script, faceOf(script)]),
) as Readonly<Record<Script, Face>>;

export interface Setting {
  readonly face: Face;
  readonly language: Pick<Language, "tag" | "dir">;
  /** Pixels, before the face's scale. */
  readonly size: number;
  readonly bold?: boolean;
  /** Side of an invisible bar that gives every line the same height. */
  readonly strut?: "start" | "end";
}

export interface Layout extends Setting {
  readonly text: string;
  /** Pixels at which lines break. */
  readonly measure: number;
}

/** The text does not fit the image, or is larger than Cairo can draw (32,767 pixels in each direction). */
export class TooLarge extends Error {
  readonly reason = "too-large";
}

/** The size of a text, without drawing it; Infinity where it is too large. */
export async function inkOf(layout: Layout): Promise<Space> {
  try {
    const { width, height } = await sharp(input(layout)).metadata();
    return { width, height };
  } catch (error) {
    if (isTooLarge(error)) return { width: Infinity, height: Infinity };
    throw error;
  }
}

export async function setText(layout: Layout): Promise<Mask> {
  try {
    // One channel instead of three equal ones.
    const drawing = sharp(input(layout)).toColourspace("b-w").raw();
    const { data, info } = await drawing.toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, ink: data };
  } catch (error) {
    throw isTooLarge(error) ? new TooLarge(error.message, { cause: error }) : error;
  }
}

function isTooLarge(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith("text: invalid value");
}

function input(layout: Layout): SharpOptions {
  return { text: { text: markup(layout), dpi: 72, width: layout.measure, wrap: "word-char" } };
}

const STRUT = '<span alpha="1">|</span>';

/** Pango takes the direction of a paragraph from its first strong character, so a mark begins each. */
const DIRECTION_MARK = { ltr: "\u200E", rtl: "\u200F" } as const;

/**
 * Text as Pango markup, each line a paragraph. Only this function escapes text of the service for Pango.
 *
 * @see https://docs.gtk.org/Pango/pango_markup.html
 */
function markup({ text, face, language, strut, size, bold = false }: Layout): string {
  const mark = DIRECTION_MARK[language.dir];
  const [before, after] = [strut === "start" ? STRUT : "", strut === "end" ? STRUT : ""];
  const paragraphs = text
    .split("\n")
    .map((line) => `${mark}${before}${escapeMarkup(line)}${after}`);
  // Other families follow those of the face, for characters that it lacks.
  const all = Object.values(FACES).flatMap(({ families }) => families);
  const families = [...new Set([...face.families, ...all])].join(",");
  // Pango's unit is 1/1024 of a point, and at 72 dpi a point is a pixel.
  const font = `font_family="${families}" size="${Math.round(size * face.scale * 1_024)}"`;
  const line = `line_height="${face.leading}" lang="${escapeMarkup(language.tag)}"`;
  return `<span ${font} weight="${bold ? 600 : 400}" ${line}>${paragraphs.join("\n")}</span>`;
}

/** Markup must not contain C0 controls but tab and line feed, not even as references. */
export function escapeMarkup(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, ""));
}
