/** The pictures of a page: what a link to it is shown with, the page's own or the site's; and its own as a square. */
import { join } from "node:path";
import type { Card, CardShape } from "../contract/picture.ts";
import { openCards, type CardLookup } from "../images/lookup.ts";
import { keyOf } from "./card-requests.ts";
import { siteSettings } from "./settings.ts";

let cards: CardLookup | undefined;

/**
 * @param path of the page, without the base path
 * @param shape `square` for quotes alone: null where the page has none of its own
 * @returns null where no card was made
 */
export function linkCard(path: string, shape: CardShape = "wide"): Card | null {
  if (cards === undefined) {
    const { stateDir, site } = siteSettings();
    cards = openCards({ cacheDir: join(stateDir, "cards"), prefix: `${site.base}_cards/` });
  }
  return cards.card(keyOf(path), shape);
}
