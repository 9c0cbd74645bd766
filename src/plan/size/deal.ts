/** How a collection is dealt out to pages: what one turns to make a site smaller. */
export interface Deal {
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Most quotes that have a page of their own. */
  readonly quotePages: number;
  /** Quotes, authors and tags with a card of their own. */
  readonly cards: number;
  /** Quotes that a tag must have to get a listing. */
  readonly minTagQuotes: number;
}
