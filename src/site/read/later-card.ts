/**
 * A card that is read when something other than its digest is asked for. Most pages of a night stand as they are kept,
 * card by card: their quotes are never read.
 */
import type { Attribution, CardData, TermLink } from "../types.ts";
import type { Picture } from "../../contract/picture.ts";
import type { Quote } from "../../contract/quote.ts";

/** Where a card reads its quote. */
export interface QuoteSource {
  quote(id: number): Quote | undefined;
}

/** Makes a card of a quote that was read. */
export interface CardSource {
  card(quote: Quote, digest: string, authorPage: number): CardData;
}

export class LaterCard implements CardData {
  readonly #maker: CardSource;
  readonly #id: number;
  readonly #quotes: QuoteSource;
  readonly #authorPage: number;
  #made: CardData | undefined;
  readonly digest: string;

  constructor(
    maker: CardSource,
    id: number,
    quotes: QuoteSource,
    digest: string,
    authorPage: number,
  ) {
    this.#maker = maker;
    this.#id = id;
    this.#quotes = quotes;
    this.digest = digest;
    this.#authorPage = authorPage;
  }

  get quote(): Quote {
    return this.#card.quote;
  }

  get permalink(): string {
    return this.#card.permalink;
  }

  get likes(): number {
    return this.#card.likes;
  }

  get language(): CardData["language"] {
    return this.#card.language;
  }

  get author(): Attribution {
    return this.#card.author;
  }

  get tags(): readonly TermLink[] {
    return this.#card.tags;
  }

  get plainTags(): readonly string[] {
    return this.#card.plainTags;
  }

  get picture(): Picture | null {
    return this.#card.picture;
  }

  get #card(): CardData {
    return (this.#made ??= this.#read());
  }

  #read(): CardData {
    const quote = this.#quotes.quote(this.#id);
    if (quote === undefined) {
      throw new RangeError(`Cannot read quote ${this.#id}: not in the snapshot`);
    }
    return this.#maker.card(quote, this.digest, this.#authorPage);
  }
}
