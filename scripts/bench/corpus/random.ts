/** Random numbers, the same for one seed on every machine. */

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number below `sides`. */
  below(sides: number): number;
  pick<T>(from: readonly T[]): T;
  /** Normally distributed, about 0 with deviation 1. */
  normal(): number;
}

/** @see xoshiro128** by Blackman and Vigna: four words of state, seeded by splitting one */
export function seededRandom(seed: number): Random {
  const state = new Uint32Array(4);
  let split = seed >>> 0;
  for (let word = 0; word < 4; word++) {
    split = (split + 0x9e3779b9) >>> 0;
    let mix = Math.imul(split ^ (split >>> 16), 0x21f0aaad);
    mix = Math.imul(mix ^ (mix >>> 15), 0x735a2d97);
    state[word] = mix ^ (mix >>> 15);
  }
  const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
  const next = (): number => {
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    state[2] = c ^ a;
    state[3] = rotated(d ^ b, 11);
    state[1] = b ^ c ^ a;
    state[0] = a ^ d ^ b;
    state[2] ^= b << 9;
    return result / 2 ** 32;
  };
  return {
    next,
    below: (sides) => Math.floor(next() * sides),
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Picks places from 0, small ones more often: place n with a weight of 1 / (n + flat). */
export function unevenPicker(count: number, flat: number): (at: number) => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let place = 0; place < count; place++) sums[place] = sum += 1 / (place + flat);
  return (at) => {
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < at * sum) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
