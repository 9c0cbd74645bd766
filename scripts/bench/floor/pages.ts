/** Every page of the measured site: its address, what it is made from, and how it is made. */
import { addressOf, homePage, HOME_TERMS, indexPage, listingPage, quotePage } from "./markup.ts";
import { PER_PAGE, type Kind, type Model, type Quote, type Term } from "./model.ts";

export interface FloorPage {
  readonly path: string;
  /** What a digest must cover in addition to the quotes. */
  readonly says: () => string;
  readonly quotes: readonly Quote[];
  readonly html: () => string;
}

/** @param card a quote's markup, from memory after the first time */
export function* pagesOf(
  model: Model,
  card: (quote: Quote) => string,
  quotePages: boolean,
): Generator<FloorPage> {
  const cards = (quotes: readonly Quote[]): string => {
    let markup = "";
    for (const quote of quotes) markup += card(quote);
    return markup;
  };
  const sizes = (terms: readonly Term[]): string =>
    terms.map(({ name, quotes }) => name + quotes.length).join();
  const top = model.quotes.slice(0, PER_PAGE);
  yield {
    path: "/",
    quotes: top,
    says: () =>
      [
        model.quotes.length,
        model.author.length,
        model.tag.length,
        sizes(model.language),
        sizes(model.tag.slice(0, HOME_TERMS)),
        sizes(model.author.slice(0, HOME_TERMS)),
      ].join(),
    html: () => homePage(model, cards(top)),
  };
  for (const kind of ["tag", "author"] as const) {
    const terms = model[kind];
    yield {
      path: `/${kind}s/`,
      quotes: [],
      says: () => sizes(terms),
      html: () => indexPage(kind, terms),
    };
  }
  for (const kind of ["tag", "language", "author"] satisfies Kind[]) {
    for (const term of model[kind]) {
      const pages = Math.ceil(term.quotes.length / PER_PAGE);
      for (let number = 1; number <= pages; number++) {
        const quotes = term.quotes.slice((number - 1) * PER_PAGE, number * PER_PAGE);
        yield {
          path: addressOf(kind, term.slug, number),
          quotes,
          says: () => `${term.name} ${term.quotes.length}`,
          html: () => listingPage(kind, term, number, pages, cards(quotes)),
        };
      }
    }
  }
  if (!quotePages) return;
  for (const quote of model.quotes) {
    yield {
      path: `/quote/${quote.pk}/`,
      quotes: [quote],
      says: () => "",
      html: () => quotePage(quote, card(quote)),
    };
  }
}

/** A quote's card, made once. */
export function remembered(card: (quote: Quote) => string): (quote: Quote) => string {
  const known = new Map<Quote, string>();
  return (quote) => {
    let markup = known.get(quote);
    if (markup === undefined) known.set(quote, (markup = card(quote)));
    return markup;
  };
}
