/** The size classes of quotes, whose font sizes themes set, with the longest text of each in UTF-16 units. */
const STEPS = [
  [72, "short"],
  [180, "medium"],
  [420, "long"],
] as const;

/** A line break counts as so many characters. */
const LINE = 12;

export function fitOf(text: string) {
  const length = text.length + LINE * (text.split("\n").length - 1);
  return STEPS.find(([most]) => length <= most)?.[1] ?? "full";
}
