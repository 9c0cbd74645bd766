/** Has Pango set a text, as a mask or as its size alone. The only place where text meets sharp. */
import sharp, { type CreateText } from "sharp";
import type { Mask, Space } from "./canvas.ts";
import { markup, type Setting } from "./type/markup.ts";

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
  const drawing = sharp({ text: input(text, setting, measure) }).raw();
  const { data, info } = await drawing
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw isTooLarge(error) ? new TooLarge(error.message) : error;
    });
  const ink = new Uint8Array(info.width * info.height);
  for (let at = 0; at < ink.length; at++) ink[at] = data[at * info.channels] ?? 0;
  return { width: info.width, height: info.height, ink };
}

function isTooLarge(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith("text: invalid value");
}

function input(text: string, setting: Setting, measure: number): CreateText {
  return { text: markup(text, setting), dpi: 72, width: measure, wrap: "word-char" };
}
