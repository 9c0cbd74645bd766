/**
 * Finds the size and the measure (width of the lines) at which a text fills its space well.
 *
 * Every question costs a layout by Pango, some half a millisecond, so each search is a binary search.
 */
import type { Mask, Space } from "./canvas.ts";
import { inkOf, setText, TooLarge, type Fitted, type Setting } from "./set.ts";
import { segments, shorten } from "./text.ts";

/** Pixels, wider than any image: lines end only where the text has a line break. */
const NO_BREAK = 20_000;

/** Pixels: a difference in width that does not change where lines break. */
const TOLERANCE = 12;

/**
 * @param sizes to try, largest first, in pixels
 * @returns the text as it fits, shortened when even the smallest size is too large for the whole of it
 * @throws {TooLarge} when not one letter has room
 */
export async function fitText(
  text: string,
  setting: Omit<Setting, "size">,
  sizes: readonly number[],
  space: Space,
): Promise<Fitted> {
  const at = (index: number): Setting => ({ ...setting, size: sizes[index] ?? 1 });
  // Verse keeps its lines where a size allows it; prose has only one line.
  if (text.includes("\n")) {
    const verse = await firstFit(sizes.length, (index) => fits(text, at(index), space, NO_BREAK));
    if (verse < sizes.length) return { text, setting: at(verse), measure: NO_BREAK };
  }
  const index = await firstFit(sizes.length, (index) => fits(text, at(index), space));
  if (index < sizes.length) return balanced(text, at(index), space);
  const smallest = at(sizes.length - 1);
  const kept = await mostLetters(text, (short) => fits(short, smallest, space));
  if (kept < 1) throw new TooLarge("Cannot fit the text: not one letter of it has room");
  return balanced(shorten(text, kept), smallest, space);
}

/** The first of `count` indices for which a question is answered with yes, as all after it are; `count` if none. */
async function firstFit(
  count: number,
  isFit: (index: number) => Promise<boolean>,
): Promise<number> {
  let [first, end] = [0, count];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (await isFit(middle)) end = middle;
    else first = middle + 1;
  }
  return first;
}

/** Letters of a text, fewer than all, with which it fits when it is shortened to them; 0 if it never does. */
async function mostLetters(
  text: string,
  isFit: (short: string) => Promise<boolean>,
): Promise<number> {
  const most = segments(text).length - 1;
  return most - (await firstFit(most, (less) => isFit(shorten(text, most - less))));
}

async function fits(
  text: string,
  setting: Setting,
  space: Space,
  measure = space.width,
): Promise<boolean> {
  const { width, height } = await inkOf(text, setting, measure);
  return width <= space.width && height <= space.height;
}

/** Of all widths that give the same number of lines, the narrowest: it makes the lines equally long. */
async function balanced(text: string, setting: Setting, space: Space): Promise<Fitted> {
  const { height } = await inkOf(text, setting, space.width);
  const tallest = height + setting.size / 2;
  let [narrow, wide] = [space.width / 3, space.width];
  while (wide - narrow > TOLERANCE) {
    const middle = Math.round((narrow + wide) / 2);
    const ink = await inkOf(text, setting, middle);
    if (ink.height <= tallest && ink.width <= middle) wide = middle;
    else narrow = middle;
  }
  return { text, setting, measure: wide };
}

/**
 * One line, cut to its width, as high as any other line of its size, so that lines share a base line.
 *
 * @param strut side of the invisible bar that gives the line its height; the bar takes some room there
 */
export async function setLine(
  text: string,
  setting: Setting,
  width: number,
  strut: "start" | "end" = "end",
): Promise<Mask> {
  const line = text.replace(/\s+/g, " ");
  const whole = { text: line, setting: { ...setting, strut }, measure: NO_BREAK };
  const mask = await setText(whole);
  if (mask.width <= width) return mask;
  const kept = await mostLetters(line, async (short) => {
    return (await inkOf(short, whole.setting, NO_BREAK)).width <= width;
  });
  return setText({ ...whole, text: shorten(line, kept) });
}
