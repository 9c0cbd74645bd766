/** The size class of a quote. Themes set the font size of each in their style sheets. */
type Fit = "short" | "medium" | "long" | "full";

/** Longest text of each class, in UTF-16 units. */
const STEPS: readonly (readonly [number, Fit])[] = [
  [72, "short"],
  [180, "medium"],
  [420, "long"],
];

/** A line break counts as so many characters. */
const LINE = 12;

export function fitOf(text: string): Fit {
  const length = text.length + LINE * (text.split("\n").length - 1);
  return STEPS.find(([most]) => length <= most)?.[1] ?? "full";
}
