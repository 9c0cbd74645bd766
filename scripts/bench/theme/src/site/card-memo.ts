/** Cards are rendered once, as in the site itself. */
import type { Part } from "../../../../../src/contract/part.ts";
import Card from "../components/Card.astro";
import { openSite } from "./open.ts";

export { Card as component };
export { keepCards as use } from "../../../../../src/components/quote/kept-cards.ts";

export function* entries(
  part: Part,
  isKept: (cacheKey: string) => boolean,
): Generator<readonly [key: string, props: object | null]> {
  for (const [cacheKey, card] of openSite().everyCard(part, isKept)) {
    yield [cacheKey, card === null ? null : { card }];
  }
}
