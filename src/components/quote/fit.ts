/**
 * How large a quote may be set: a word can fill a line, a thousand characters must be read in comfort.
 *
 * Steps and not a formula, so that one line of a theme's sheet changes each of them.
 */

export type Fit = "short" | "medium" | "long" | "full";

/** Longest text of each step, in UTF-16 units, since a few letters more or less make no difference. */
const STEPS: readonly (readonly [number, Fit])[] = [
  [72, "short"],
  [180, "medium"],
  [420, "long"],
];

/** A line of verse takes room as a dozen letters do. */
const LINE = 12;

export function fitOf(text: string): Fit {
  const length = text.length + LINE * (text.split("\n").length - 1);
  return STEPS.find(([most]) => length <= most)?.[1] ?? "full";
}
