/** A card's key and its data change together: pages show what the key covers, and a key covers no more. */
import { expect, test } from "vitest";
import type { CardData, QuoteLink } from "../../src/site/index.ts";
import { makeSite, standIns } from "../support/site/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";

const BEFORE: QuoteDraft = {
  id: 1,
  text: "All human beings are born free.",
  author: "Ada",
  likes: 1_234,
  tags: ["love", "wit"],
  image: "http://x/1",
  language: "en",
  served: null,
  source: { work: "Essays", year: "1855" },
};

/** Two others, so that a name of the first can be one of several spellings. */
const OTHERS: readonly QuoteDraft[] = [
  { id: 2, author: "ada", likes: 2_000, tags: ["Love"], language: "EN" },
  { id: 3, author: "Ada", likes: 1_000, tags: ["love", "wit"], language: "en" },
];

/** Values of each field; some differ in nothing that a page shows. */
const VALUES: { readonly [Field in keyof QuoteDraft]?: readonly QuoteDraft[Field][] } = {
  text: ["Other words.", "All human beings are born free"],
  author: ["ada", "Bo", null],
  likes: [1_235, 1_299, 1_300, -1_234],
  tags: [[], ["wit"], ["wit", "love"], ["love", "wit", "rare"], ["Love", "love", "wit"]],
  image: ["http://x/other", null],
  language: ["EN", "fr", "und"],
  served: [{ quote: "All human beings are born free. Ada", author: " Ada" }],
  source: [
    null,
    { work: "Essays", year: null },
    { work: "Essays (1855)", year: null },
    { work: "Letters", year: "1855" },
  ],
};

const EDITS = Object.entries(VALUES).flatMap(([field, values]) =>
  values.map((value): Partial<QuoteDraft> => ({ [field]: value })),
);

function cardsOf(change: Partial<QuoteDraft>) {
  using site = makeSite([{ ...BEFORE, ...change }, ...OTHERS], {
    ...{ minTagQuotes: 2, quotePages: 2, pictures: standIns(1) },
  });
  return [1, 2, 3].map((id) => {
    const card = site.card(id) ?? expect.fail(`no card of quote ${id}`);
    const { ofAuthor, ofTags, others } = site.moreFor(card);
    return { card, links: [...ofAuthor, ...ofTags, ...others], page: site.page(`/quote/${id}/`) };
  });
}

const dataOf = ({ cacheKey: _, ...data }: CardData): string => JSON.stringify(data);
const linksOf = (links: readonly QuoteLink[]): string => JSON.stringify(links);

const before = cardsOf({});

test.each(EDITS)("card() gives other data exactly where the cache key is another: %j", (edit) => {
  for (const [place, { card }] of cardsOf(edit).entries()) {
    const known = before[place]?.card ?? card;
    expect(dataOf(card) === dataOf(known)).toBe(card.cacheKey === known.cacheKey);
  }
});

test.each(EDITS)("moreFor() gives other links only where the page's key is another: %j", (edit) => {
  for (const [place, { links, page }] of cardsOf(edit).entries()) {
    const known = before[place];
    if (page === undefined || known?.page?.cacheKey !== page.cacheKey) continue;
    expect(linksOf(links)).toBe(linksOf(known.links));
  }
});
