/**
 * Finds the font size and the measure (maximum width of lines) at which a text fills its space.
 *
 * Each layout by Pango takes about half a millisecond, so all searches are binary.
 */
import type { Mask, Space } from "./canvas.ts";
import { inkOf, setText, TooLarge, type Layout, type Setting } from "./set.ts";
import { segments, shorten } from "./text.ts";

/** A measure, in pixels, at which lines break only at line breaks of the text. */
const NO_BREAK = 20_000;

/** A difference in width, in pixels, that is too small to search further. */
const TOLERANCE = 12;

/**
 * @param sizes in pixels, largest first
 * @returns a layout that fits, with the text shortened when even the smallest size is too large
 * @throws {TooLarge} when not even one letter fits
 */
export async function fitText(
  text: string,
  setting: Omit<Setting, "size">,
  sizes: readonly number[],
  space: Space,
): Promise<Layout> {
  const at = (index: number, measure = space.width): Layout => {
    return { ...setting, text, measure, size: sizes[index] ?? 1 };
  };
  // The lines of a poem are kept where a size allows it.
  if (text.includes("\n")) {
    const index = await firstFit(sizes.length, (index) => fits(at(index, NO_BREAK), space));
    if (index < sizes.length) return at(index, NO_BREAK);
  }
  const index = await firstFit(sizes.length, (index) => fits(at(index), space));
  if (index < sizes.length) return balanced(at(index), space);
  return balanced(await shortened(at(sizes.length - 1), space, 1), space);
}

/** The first of `count` indices that fits, where all after it fit too; `count` if none. */
async function firstFit(count: number, isFit: (index: number) => Promise<boolean>) {
  let [first, end] = [0, count];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (await isFit(middle)) end = middle;
    else first = middle + 1;
  }
  return first;
}

/** Shortens a text to as many letters as fit. @throws {TooLarge} when these are less than `least` */
async function shortened(whole: Layout, space: Space, least = 0): Promise<Layout> {
  const most = segments(whole.text).length - 1;
  const without = (less: number): Layout => {
    return { ...whole, text: shorten(whole.text, most - less) };
  };
  const less = await firstFit(most, (less) => fits(without(less), space));
  if (most - less < least) throw new TooLarge("Cannot fit the text: not even one letter fits");
  return without(less);
}

async function fits(layout: Layout, space: Space): Promise<boolean> {
  const { width, height } = await inkOf(layout);
  return width <= space.width && height <= space.height;
}

/** Finds the smallest measure with the same number of lines, so that the lines are about equally long. */
async function balanced(layout: Layout, space: Space): Promise<Layout> {
  const { height } = await inkOf(layout);
  const tallest = height + layout.size / 2;
  let [narrow, wide] = [space.width / 3, space.width];
  while (wide - narrow > TOLERANCE) {
    const measure = Math.round((narrow + wide) / 2);
    if (await fits({ ...layout, measure }, { width: measure, height: tallest })) wide = measure;
    else narrow = measure;
  }
  return { ...layout, measure: wide };
}

/**
 * Draws a text on one line, shortened to the width. All lines of one size have the same height, so that they share a baseline.
 *
 * @param strut side of the invisible bar that gives the line its height; the bar takes some room there
 */
export async function setLine(
  text: string,
  setting: Setting,
  width: number,
  strut: "start" | "end" = "end",
): Promise<Mask> {
  const whole = { ...setting, text: text.replace(/\s+/g, " "), strut, measure: NO_BREAK };
  const mask = await setText(whole);
  if (mask.width <= width) return mask;
  return setText(await shortened(whole, { width, height: Infinity }));
}
