/** The length of a text as services count it: the contract names no unit (docs/walk.md, section 3). */
import type { Quote } from "../../contract/quote.ts";
import type { Filter } from "../../contract/window.ts";

/** Units that a service may count a text in. */
export const UNITS: readonly ((text: string) => number)[] = [
  (text) => [...text].length,
  (text) => text.length,
  (text) => Buffer.byteLength(text),
];

export type Unit = (typeof UNITS)[number];

/** The words as they were served: these are what the service counts. */
export function wordsOf(quote: Quote): string {
  return quote.served?.quote ?? quote.text;
}

/** Whether all quotes lie within a filter's bounds, in one unit or another. */
export function isWithin(quotes: readonly Quote[], { minLength, maxLength }: Filter): boolean {
  const [low, high] = [minLength ?? 0, maxLength ?? Infinity];
  return UNITS.some((unit) =>
    quotes.every((quote) => unit(wordsOf(quote)) >= low && unit(wordsOf(quote)) <= high),
  );
}
