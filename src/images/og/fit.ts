/**
 * Finds the size and the measure (width of the lines) at which a text fills its space well.
 *
 * Every question costs a layout by Pango, some half a millisecond, so each search is a binary search.
 */
import type { Mask, Space } from "./canvas.ts";
import { inkOf, setText, TooLarge, type Layout, type Setting } from "./set.ts";
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
): Promise<Layout> {
  const at = (index: number, measure = space.width): Layout => {
    return { ...setting, text, measure, size: sizes[index] ?? 1 };
  };
  // Verse keeps its lines where a size allows it; prose has only one line.
  if (text.includes("\n")) {
    const verse = await firstFit(sizes.length, (index) => fits(at(index, NO_BREAK), space));
    if (verse < sizes.length) return at(verse, NO_BREAK);
  }
  const index = await firstFit(sizes.length, (index) => fits(at(index), space));
  if (index < sizes.length) return balanced(at(index), space);
  return balanced(await shortened(at(sizes.length - 1), space, 1), space);
}

/** The first of `count` indices for which a question is answered with yes, as all after it are; `count` if none. */
async function firstFit(count: number, isFit: (index: number) => Promise<boolean>) {
  let [first, end] = [0, count];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (await isFit(middle)) end = middle;
    else first = middle + 1;
  }
  return first;
}

/** A text with the most letters, fewer than all, that fit. @throws {TooLarge} when these are less than `least` */
async function shortened(whole: Layout, space: Space, least = 0): Promise<Layout> {
  const most = segments(whole.text).length - 1;
  const without = (less: number): Layout => {
    return { ...whole, text: shorten(whole.text, most - less) };
  };
  const less = await firstFit(most, (less) => fits(without(less), space));
  if (most - less < least) throw new TooLarge("Cannot fit the text: not one letter of it has room");
  return without(less);
}

async function fits(layout: Layout, space: Space): Promise<boolean> {
  const { width, height } = await inkOf(layout);
  return width <= space.width && height <= space.height;
}

/** Of all widths that give the same number of lines, the narrowest: it makes the lines equally long. */
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
  const whole = { ...setting, text: text.replace(/\s+/g, " "), strut, measure: NO_BREAK };
  const mask = await setText(whole);
  if (mask.width <= width) return mask;
  return setText(await shortened(whole, { width, height: Infinity }));
}
