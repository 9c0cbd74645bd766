/** The picture that a link to a page is shown with: the page's own card, or the site's. */
import { join } from "node:path";
import type { Card } from "../contract/picture.ts";
import { openCards, type CardLookup } from "../images/lookup.ts";
import { keyOf } from "./card-requests.ts";
import { siteSettings } from "./settings.ts";

let cards: CardLookup | undefined;

/** @param path of the page, without the base path; null where no card was made */
export function linkCard(path: string): Card | null {
  if (cards === undefined) {
    const { stateDir, site } = siteSettings();
    cards = openCards({ cacheDir: join(stateDir, "cards"), prefix: `${site.base}_cards/` });
  }
  return cards.card(keyOf(path), "wide");
}
