/**
 * What the keys of served pages tell about the order of the collection (docs/walk.md, section 4), as pure functions.
 */

export type Direction = "unknown" | "ascending" | "descending" | "none";

export function directionOf(pks: readonly number[]): Direction {
  if (pks.length < 2) return "unknown";
  const rises = (pks[1] ?? 0) > (pks[0] ?? 0);
  for (let at = 1; at < pks.length; at++) {
    const [before = 0, after = 0] = [pks[at - 1], pks[at]];
    if (rises ? after <= before : after >= before) return "none";
  }
  return rises ? "ascending" : "descending";
}

/** Whether keys stand in their own order, or the reverse of it. */
export function isByKey(direction: Direction): boolean {
  return direction === "ascending" || direction === "descending";
}

export function combine(a: Direction, b: Direction): Direction {
  if (a === "unknown") return b;
  return b === "unknown" || a === b ? a : "none";
}

/** Whether the keys that both lists hold stand in the same order in both. */
export function sameOrder(a: readonly number[], b: readonly number[]): boolean {
  const places = new Map(a.map((pk, place) => [pk, place]));
  let last = -1;
  for (const pk of new Set(b)) {
    const place = places.get(pk);
    if (place === undefined) continue;
    if (place < last) return false;
    last = place;
  }
  return true;
}

/**
 * In which window each key was first seen: tells a quote that was read long ago and turns up again further on.
 *
 * Only a collection whose order is not that of its keys needs it; it holds every key in memory.
 */
export class Places {
  readonly #windowOf = new Map<number, number>();

  /** Notes a window of the chain and says whether it contradicts those before. */
  add(number: number, pks: readonly number[]): boolean {
    const kept = this.agrees(pks);
    // A newcomer between quotes read before belongs where they are, not where we are now.
    let bound = number;
    for (const pk of pks.toReversed()) {
      const known = this.#windowOf.get(pk);
      if (known === undefined) this.#windowOf.set(pk, bound);
      else bound = Math.min(bound, known);
    }
    return kept;
  }

  agrees(pks: readonly number[]): boolean {
    let last = -1;
    for (const pk of pks) {
      const known = this.#windowOf.get(pk);
      if (known === undefined) continue;
      if (known < last) return false;
      last = known;
    }
    return true;
  }
}
