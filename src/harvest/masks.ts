/**
 * Keeps quotes as they are published that a page shows with one and the same text, such as "Upgrade to read on": all answers would
 * agree on it (docs/walk.md, section 4).
 */
import type { Quote } from "../contract/quote.ts";
import type { ServedPage } from "../contract/window.ts";
import { LEAST_CHANGED } from "./changes.ts";

export class Masks {
  readonly #published: (id: number) => Quote | undefined;
  /** Keys of the quotes that came so. */
  readonly masked = new Set<number>();

  /** @param published the published form of a quote of this service */
  constructor(published: (id: number) => Quote | undefined) {
    this.#published = published;
  }

  /** Keeps quotes whose published texts differ, and that now have one text: the rest of such a row may be hidden, too. */
  unmask(page: ServedPage): ServedPage {
    const own = new Map<number, Quote>();
    for (const alike of Map.groupBy(page.quotes, ({ text }) => text).values()) {
      if (alike.length < LEAST_CHANGED) continue;
      const before = alike.flatMap(({ id, text }) => {
        const known = this.#published(id);
        return known === undefined || known.text === text ? [] : [known];
      });
      if (new Set(before.map(({ text }) => text)).size < LEAST_CHANGED) continue;
      for (const quote of before) own.set(quote.id, quote);
    }
    if (own.size === 0) return page;
    for (const id of own.keys()) this.masked.add(id);
    return { ...page, quotes: page.quotes.map((now) => own.get(now.id) ?? now) };
  }
}
