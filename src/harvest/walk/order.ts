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
