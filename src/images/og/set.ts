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

/** The room a text takes when its lines break at `measure` pixels, without drawing it. */
export async function inkOf(text: string, setting: Setting, measure: number): Promise<Space> {
  const { width, height } = await sharp({ text: input(text, setting, measure) }).metadata();
  return { width, height };
}

export async function setText({ text, setting, measure }: Fitted): Promise<Mask> {
  const { data, info } = await sharp({ text: input(text, setting, measure) })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const ink = new Uint8Array(info.width * info.height);
  for (let at = 0; at < ink.length; at++) ink[at] = data[at * info.channels] ?? 0;
  return { width: info.width, height: info.height, ink };
}

function input(text: string, setting: Setting, measure: number): CreateText {
  return { text: markup(text, setting), dpi: 72, width: measure, wrap: "word-char" };
}
