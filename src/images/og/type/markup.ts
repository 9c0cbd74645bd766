/**
 * Text as Pango markup. What comes from upstream is escaped here and nowhere else.
 *
 * @see https://docs.gtk.org/Pango/pango_markup.html
 */
import type { Language } from "../../../contract/languages.ts";
import { type Face, familiesFrom } from "./faces.ts";

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

/** @param text any text; each of its lines becomes a paragraph */
export function markup(text: string, setting: Setting): string {
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
  const written = Object.entries(attributes).map(([name, value]) => {
    return `${name}="${escapeMarkup(value)}"`;
  });
  return `<span ${written.join(" ")}>${paragraphs.join("\n")}</span>`;
}

/** C0 controls but tab and line feed cannot stand in markup at all, not even as references. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}
