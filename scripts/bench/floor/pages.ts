/** The pages of the measured site. */
import {
  addressOf,
  cardOf,
  homePage,
  HOME_TERMS,
  indexPage,
  listingPage,
  quotePage,
} from "./markup.ts";
import { PER_PAGE, type Model, type Quote, type Term } from "./model.ts";
import { getOrCompute } from "../../../src/util/get-or-compute.ts";

/** `QUOTE_PAGES=1`: each quote has a page, too. */
const QUOTE_PAGES = process.env["QUOTE_PAGES"] === "1";

interface FloorPage {
  readonly path: string;
  /** The facts that a digest must cover in addition to the quotes. */
  readonly facts: () => string;
  readonly quotes: readonly Quote[];
  readonly html: () => string;
}

export function* pagesOf(model: Model): Generator<FloorPage> {
  const rendered = new Map<Quote, string>();
  const card = (quote: Quote): string => getOrCompute(rendered, quote, cardOf);
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
    facts: () =>
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
      facts: () => sizes(terms),
      html: () => indexPage(kind, terms),
    };
  }
  for (const kind of ["tag", "language", "author"] as const) {
    for (const term of model[kind]) {
      const pages = Math.ceil(term.quotes.length / PER_PAGE);
      for (let number = 1; number <= pages; number++) {
        const quotes = term.quotes.slice((number - 1) * PER_PAGE, number * PER_PAGE);
        yield {
          path: addressOf(kind, term.slug, number),
          quotes,
          facts: () => `${term.name} ${term.quotes.length}`,
          html: () => listingPage(kind, term, number, pages, cards(quotes)),
        };
      }
    }
  }
  if (!QUOTE_PAGES) return;
  for (const quote of model.quotes) {
    yield {
      path: `/quote/${quote.pk}/`,
      quotes: [quote],
      facts: () => "",
      html: () => quotePage(quote, card(quote)),
    };
  }
}
