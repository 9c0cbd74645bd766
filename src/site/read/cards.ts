/**
 * Makes cards: a quote with the links it shows. Names are looked up by primary key and remembered, since the same few
 * tags and authors come again and again.
 */
import type { Attribution, CardData, Picture, TermLink } from "../types.ts";
import { shownLikes } from "../../catalogue/likes.ts";
import type { Catalogue, TermLabel } from "../../catalogue/open.ts";
import { languageOf } from "../../contract/languages.ts";
import type { Quote } from "../../contract/quote.ts";

/** Names remembered of each kind: a few megabytes, whatever the collection. */
const REMEMBERED = 20_000;

/** The thumbnail of a quote that has one. */
export type PictureOf = (id: number, image: string) => Picture | null;

export class CardMaker {
  readonly #catalogue: Catalogue;
  readonly #pictureOf: PictureOf;
  readonly #authors = new Map<string | null, TermLabel>();
  readonly #tags = new Map<string | null, TermLabel>();

  constructor(catalogue: Catalogue, pictureOf: PictureOf) {
    this.#catalogue = catalogue;
    this.#pictureOf = pictureOf;
  }

  card(quote: Quote): CardData {
    return {
      quote,
      likes: shownLikes(quote.likes),
      language: languageOf(quote.language),
      author: this.#author(quote.author),
      tags: quote.tags.length === 0 ? [] : this.#tagLinks(quote.tags),
      picture: quote.image === null ? null : this.#pictureOf(quote.id, quote.image),
    };
  }

  #author(name: string | null): Attribution {
    return this.#labelOf("author", name, this.#authors);
  }

  /** Two spellings of one tag on one quote are one link. */
  #tagLinks(names: readonly string[]): TermLink[] {
    const links = new Map<string, TermLink>();
    for (const name of names) {
      const label = this.#labelOf("tag", name, this.#tags);
      links.set(label.slug, { name: label.name ?? name, slug: label.slug });
    }
    return [...links.values()];
  }

  #labelOf(
    kind: "author" | "tag",
    name: string | null,
    remembered: Map<string | null, TermLabel>,
  ): TermLabel {
    let label = remembered.get(name);
    if (label === undefined) {
      label = this.#catalogue.named(kind, name);
      if (label === undefined) throw new RangeError(`Cannot find ${kind} ${name}: not planned`);
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(name, label);
    }
    return label;
  }
}
