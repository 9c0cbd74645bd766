/** Units of the length of a text: the contract does not say in which one a service counts. */
import { servedTextOf, type Quote } from "../contract/quote.ts";
import type { Filter } from "../contract/window.ts";

/** Units in which a service may count: code points, UTF-16 code units, UTF-8 bytes. */
export const UNITS: readonly ((text: string) => number)[] = [
  (text) => [...text].length,
  (text) => text.length,
  (text) => Buffer.byteLength(text),
];

export type Unit = (typeof UNITS)[number];

/** Whether all quotes are within a filter's bounds in at least one unit. */
export function isWithin(quotes: readonly Quote[], { minLength, maxLength }: Filter): boolean {
  const [low, high] = [minLength ?? 0, maxLength ?? Infinity];
  return UNITS.some((unit) =>
    quotes.map(servedTextOf).every((text) => unit(text) >= low && unit(text) <= high),
  );
}
