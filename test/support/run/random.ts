/** Chance that repeats: a small generator, and text of any characters for properties. */
import fc from "fast-check";

/** Any character but half a surrogate pair. `fc.string({ unit: "binary" })` takes a second to be made. */
const character = fc.nat(0x10f7ff).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));
export const anyText = fc.string({
  unit: fc.oneof(
    character,
    fc.nat(0x7f).map((n) => String.fromCodePoint(n)),
  ),
});

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
