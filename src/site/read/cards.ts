/**
 * Makes cards: a quote with the links it shows. Names are looked up by primary key and remembered, since the same few
 * tags and authors come again and again.
 */
import { LaterCard, type QuoteSource } from "./later-card.ts";
import type { Attribution, CardData, TermLink } from "../types.ts";
import { DIGEST_BYTES } from "../../catalogue/digests.ts";
import { shownLikes } from "../../catalogue/likes.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import type { PageMembers, TermLabel } from "../../catalogue/read/rows.ts";
import { languageOf } from "../../contract/languages.ts";
import { listingPath, quotePath } from "../../plan/paths.ts";
import type { Picture } from "../../contract/picture.ts";
import type { Quote } from "../../contract/quote.ts";

/** Names remembered of each kind: a few megabytes, whatever the collection. */
const REMEMBERED = 20_000;

/** What to draw for the address of a picture. */
export type PictureOf = (image: string) => Picture | null;

export class CardMaker {
  readonly #catalogue: Catalogue;
  readonly #pictureOf: PictureOf;
  readonly #authors = new Map<string | null, TermLabel | null>();
  readonly #tags = new Map<string | null, TermLabel | null>();
  readonly #thinTags: boolean;

  /** @param thinTags whether a tag may be without a listing */
  constructor(catalogue: Catalogue, pictureOf: PictureOf, { thinTags }: { thinTags: boolean }) {
    this.#catalogue = catalogue;
    this.#pictureOf = pictureOf;
    this.#thinTags = thinTags;
  }

  /** @param authorPage where its own link leads: 0 for a page of its own, else the page of its author's listing */
  card(quote: Quote, digest: string, authorPage: number): CardData {
    const author = this.#author(quote.author);
    return {
      digest,
      quote,
      permalink: permalinkOf(quote.id, author, authorPage),
      likes: shownLikes(quote.likes),
      language: languageOf(quote.language),
      author,
      ...(quote.tags.length === 0 ? NO_TAGS : this.#tagsOf(quote.tags)),
      picture: quote.image === null ? null : this.#pictureOf(quote.image),
    };
  }

  /** A page's cards, of which little is known until more is asked for. */
  later({ ids, cards, permalinks }: PageMembers, quotes: QuoteSource): CardData[] {
    const digests = cards.toString("latin1");
    return Array.from(ids, (id, place) => {
      const digest = digests.slice(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
      return new LaterCard(this, id, quotes, digest, permalinks[place] ?? 0);
    });
  }

  #author(name: string | null): Attribution {
    return this.#labelOf("author", name, this.#authors) ?? notPlanned("author", name);
  }

  /** Two spellings of one tag on one quote are one link. */
  #tagsOf(names: readonly string[]): Pick<CardData, "tags" | "plainTags"> {
    const links = new Map<string, TermLink>();
    const plainTags: string[] = [];
    for (const name of names) {
      const label = this.#labelOf("tag", name, this.#tags);
      if (label !== null) links.set(label.slug, { name: label.name ?? name, slug: label.slug });
      else if (this.#thinTags) plainTags.push(name);
      else notPlanned("tag", name);
    }
    return { tags: [...links.values()], plainTags };
  }

  #labelOf(
    kind: "author" | "tag",
    name: string | null,
    remembered: Map<string | null, TermLabel | null>,
  ): TermLabel | null {
    let label = remembered.get(name);
    if (label === undefined) {
      label = this.#catalogue.named(kind, name) ?? null;
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(name, label);
    }
    return label;
  }
}

const NO_TAGS: Pick<CardData, "tags" | "plainTags"> = { tags: [], plainTags: [] };

function notPlanned(kind: string, name: string | null): never {
  throw new RangeError(`Cannot find ${kind} ${name}: not planned`);
}

function permalinkOf(id: number, { slug }: Attribution, authorPage: number): string {
  return authorPage === 0 ? quotePath(id) : `${listingPath("author", slug, authorPage)}#q${id}`;
}
