/** Has Pango set a text, as a mask or as its size alone. The only place where text meets sharp. */
import sharp, { type SharpOptions } from "sharp";
import type { Mask, Space } from "./canvas.ts";
import type { Language, Script } from "../../contract/languages.ts";
import { escapeHtml } from "../../contract/text.ts";

/** A typeface of the images: one family a script, all cut for text and related in weight. */
interface Face {
  /** Families in the order in which Pango looks for a character. */
  readonly families: readonly string[];
  /** Distance of the lines, as a share of what the font asks for: display sizes want less air than text. */
  readonly leading: number;
  /** Size, as a share of Latin's: scripts with small bodies are set larger to look alike. */
  readonly scale: number;
}

const LATIN: Face = { families: ["Source Serif 4"], leading: 0.88, scale: 1 };

/** `other` is every script without a face here, some of which Source Serif covers, such as Greek. */
export const FACES: Readonly<Record<Script, Face>> = {
  latin: LATIN,
  cyrillic: LATIN,
  other: LATIN,
  // The Latin letters of this Naskh have no serifs, so those of Source Serif come first.
  arabic: { families: ["Source Serif 4", "Noto Naskh Arabic"], leading: 0.92, scale: 1.12 },
  hebrew: { families: ["Noto Serif Hebrew"], leading: 1.06, scale: 0.96 },
  devanagari: { families: ["Noto Serif Devanagari"], leading: 0.9, scale: 1 },
  bengali: { families: ["Noto Serif Bengali"], leading: 0.9, scale: 1.04 },
  telugu: { families: ["Noto Serif Telugu"], leading: 1.06, scale: 0.96 },
};

export interface Setting {
  readonly face: Face;
  readonly language: Pick<Language, "tag" | "dir">;
  /** Pixels, before the face's scale. */
  readonly size: number;
  readonly bold?: boolean;
  /** Side for a bar without colour, which gives every line one height. */
  readonly strut?: "start" | "end";
}

/** A text as it is to be set. */
export interface Layout extends Setting {
  readonly text: string;
  /** Pixels at which lines break. */
  readonly measure: number;
}

/** The text has no room on the image, or is larger than Cairo can draw (32,767 pixels either way). */
export class TooLarge extends Error {
  readonly reason = "too-large";
}

/** The room a text takes, without drawing it; without end where it is too much. */
export async function inkOf(layout: Layout): Promise<Space> {
  try {
    const { width, height } = await sharp(input(layout)).metadata();
    return { width, height };
  } catch (error) {
    if (isTooLarge(error)) return { width: Infinity, height: Infinity };
    throw error;
  }
}

/** @throws {TooLarge} */
export async function setText(layout: Layout): Promise<Mask> {
  try {
    // One band a pixel in the place of three equal ones.
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

/** Left-to-right and right-to-left mark: Pango takes the direction of a paragraph from its first strong character. */
const DIRECTION_MARK = { ltr: "\u200E", rtl: "\u200F" } as const;

/**
 * Text as Pango markup, each of its lines a paragraph: what comes from upstream is escaped here and nowhere else.
 *
 * @see https://docs.gtk.org/Pango/pango_markup.html
 */
function markup({ text, face, language, strut, size, bold = false }: Layout): string {
  const mark = DIRECTION_MARK[language.dir];
  const [before, after] = [strut === "start" ? STRUT : "", strut === "end" ? STRUT : ""];
  const paragraphs = text
    .split("\n")
    .map((line) => `${mark}${before}${escapeMarkup(line)}${after}`);
  // A face's own families, then every other one: Pango looks for a missing character along this list.
  const all = Object.values(FACES).flatMap(({ families }) => families);
  const families = [...new Set([...face.families, ...all])].join(",");
  // Pango counts in 1024ths of a point, and at 72 dpi a point is a pixel.
  const font = `font_family="${families}" size="${Math.round(size * face.scale * 1_024)}"`;
  const line = `line_height="${face.leading}" lang="${escapeMarkup(language.tag)}"`;
  return `<span ${font} weight="${bold ? 600 : 400}" ${line}>${paragraphs.join("\n")}</span>`;
}

/** C0 controls but tab and line feed are not allowed in markup at all, not even as references. */
export function escapeMarkup(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, ""));
}
