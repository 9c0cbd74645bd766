/** A route that lists its pages from the plan cannot ask for another: whoever sees this has found a bug. */
export function noSuchPage(kind: string, slug: string, page: number): never {
  throw new RangeError(`Cannot read ${kind} ${slug}, page ${page}: no such page`);
}
