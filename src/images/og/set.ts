/** Has Pango set a text, as a mask or as its size alone. The only place where text meets sharp. */
import sharp, { type CreateText } from "sharp";
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

/** A face's own families, then every other one: Pango looks for a missing character along this list. */
function familiesFrom(face: Face): string {
  const all = Object.values(FACES).flatMap(({ families }) => families);
  return [...new Set([...face.families, ...all])].join(",");
}

export interface Fitted {
  readonly text: string;
  readonly setting: Setting;
  /** Pixels at which lines break. */
  readonly measure: number;
}

/** The text has no room on the image, or is larger than Cairo can draw (32,767 pixels either way). */
export class TooLarge extends Error {
  readonly reason = "too-large";
}

/** The room a text takes when its lines break at `measure` pixels, without drawing it; without end where it is too much. */
export async function inkOf(text: string, setting: Setting, measure: number): Promise<Space> {
  try {
    const { width, height } = await sharp({ text: input(text, setting, measure) }).metadata();
    return { width, height };
  } catch (error) {
    if (isTooLarge(error)) return { width: Infinity, height: Infinity };
    throw error;
  }
}

/** @throws {TooLarge} */
export async function setText({ text, setting, measure }: Fitted): Promise<Mask> {
  // One band a pixel in the place of three equal ones.
  const drawing = sharp({ text: input(text, setting, measure) })
    .toColourspace("b-w")
    .raw();
  const { data, info } = await drawing
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw isTooLarge(error) ? new TooLarge(error.message) : error;
    });
  return { width: info.width, height: info.height, ink: data };
}

function isTooLarge(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith("text: invalid value");
}

function input(text: string, setting: Setting, measure: number): CreateText {
  return { text: markup(text, setting), dpi: 72, width: measure, wrap: "word-char" };
}

export interface Setting {
  readonly face: Face;
  readonly language: Pick<Language, "tag" | "dir">;
  /** Pixels, before the face's scale. */
  readonly size: number;
  readonly bold?: boolean;
  /** Side for a bar without colour, which gives every line one height. */
  readonly strut?: "start" | "end";
}

const STRUT = '<span alpha="1">|</span>';

/** Left-to-right and right-to-left mark: Pango takes the direction of a paragraph from its first strong character. */
const DIRECTION_MARK = { ltr: "\u200E", rtl: "\u200F" } as const;

/**
 * Text as Pango markup: what comes from upstream is escaped here and nowhere else.
 *
 * @see https://docs.gtk.org/Pango/pango_markup.html
 * @param text any text; each of its lines becomes a paragraph
 */
function markup(text: string, setting: Setting): string {
  const { face, language, strut } = setting;
  const mark = DIRECTION_MARK[language.dir];
  const [before, after] = [strut === "start" ? STRUT : "", strut === "end" ? STRUT : ""];
  const paragraphs = text
    .split("\n")
    .map((line) => `${mark}${before}${escapeMarkup(line)}${after}`);
  const attributes = {
    font_family: familiesFrom(face),
    // Pango counts in 1024ths of a point, and at 72 dpi a point is a pixel.
    size: String(Math.round(setting.size * face.scale * 1_024)),
    weight: setting.bold === true ? "600" : "400",
    line_height: String(face.leading),
    lang: language.tag,
  };
  const written = Object.entries(attributes).map(
    ([name, value]) => `${name}="${escapeMarkup(value)}"`,
  );
  return `<span ${written.join(" ")}>${paragraphs.join("\n")}</span>`;
}

/** C0 controls but tab and line feed are not allowed in markup at all, not even as references. */
export function escapeMarkup(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, ""));
}
