/**
 * Finds the size and the measure (width of the lines) at which a text fills its space well.
 *
 * Balanced lines come from one idea: of all widths that give the same number of lines, take the narrowest.
 */
import type { Mask, Space } from "./canvas.ts";
import { inkOf, setText, type Fitted } from "./set.ts";
import { segments, shorten } from "./type/shorten.ts";
import type { Setting } from "./type/markup.ts";

/**
 * @param sizes to try, largest first, in pixels
 * @returns the text as it fits, shortened when even the smallest size is too large for the whole of it
 */
export async function fitText(
  text: string,
  setting: Omit<Setting, "size">,
  sizes: readonly number[],
  space: Space,
): Promise<Fitted> {
  const verse = await unbroken(text, setting, sizes, space);
  if (verse !== null) return verse;
  let smallest = { ...setting, size: 1 };
  for (const size of sizes) {
    smallest = { ...setting, size };
    if (await fits(text, smallest, space)) return balanced(text, smallest, space);
  }
  // Grows by halves: the most graphemes that fit, with an ellipsis after them.
  let [fitting, tooMany] = [1, segments(text).length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (await fits(shorten(text, middle), smallest, space)) fitting = middle;
    else tooMany = middle;
  }
  return balanced(shorten(text, fitting), smallest, space);
}

/** Verse keeps its lines where a size allows it; prose has only one. */
async function unbroken(
  text: string,
  setting: Omit<Setting, "size">,
  sizes: readonly number[],
  space: Space,
): Promise<Fitted | null> {
  if (!text.includes("\n")) return null;
  for (const size of sizes) {
    const ink = await inkOf(text, { ...setting, size }, NO_BREAK);
    if (ink.width > space.width || ink.height > space.height) continue;
    return { text, setting: { ...setting, size }, measure: NO_BREAK };
  }
  return null;
}

/** Pixels, wider than any card: lines end where the text says. */
const NO_BREAK = 20_000;

async function fits(text: string, setting: Setting, space: Space): Promise<boolean> {
  const { width, height } = await inkOf(text, setting, space.width);
  return width <= space.width && height <= space.height;
}

async function balanced(text: string, setting: Setting, space: Space): Promise<Fitted> {
  const { height } = await inkOf(text, setting, space.width);
  const tolerance = setting.size / 2;
  let [narrow, wide] = [space.width / 3, space.width];
  while (wide - narrow > NEAR) {
    const middle = Math.round((narrow + wide) / 2);
    const ink = await inkOf(text, setting, middle);
    if (ink.height <= height + tolerance && ink.width <= middle) wide = middle;
    else narrow = middle;
  }
  return { text, setting, measure: Math.round(wide) };
}

/** Pixels: closer than this nobody sees the difference. */
const NEAR = 8;

/**
 * One line, cut to its width, as high as any other line of its size: so lines can be set on one base line.
 *
 * @param strut side that carries the invisible bar which makes it so; it takes some room there
 */
export async function setLine(
  text: string,
  setting: Setting,
  width: number,
  strut: "start" | "end" = "end",
): Promise<Mask> {
  const space = { width, height: setting.size * setting.face.scale * 2 };
  const oneLine = { ...setting, strut };
  return setText(await fitText(text.replace(/\s+/g, " "), oneLine, [setting.size], space));
}
