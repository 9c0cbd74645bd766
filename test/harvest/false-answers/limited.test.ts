/** Services that do less than they should, or in another way than others: they are read whole all the same. */
import { expect, test } from "vitest";
import type { HarvestLabel } from "../../../src/contract/facts.ts";
import type { WirePage } from "../../support/service/index.ts";
import { beginNights, expectWhole } from "./nights.ts";
import { libraryOf, quoteAt, type FalseService, type OrderName } from "./service.ts";
import {
  about,
  answer,
  emptyPastWindow,
  endOfWindow,
  isList,
  pageIn,
  type Asked,
  type FalseAnswer,
} from "./table.ts";

type Script = (service: FalseService) => FalseAnswer;

const listed = (change: (page: WirePage, asked: Asked) => unknown): Script => {
  const changed = about(change);
  return () => (asked, service) => (isList(asked) ? changed(asked, service) : null);
};
const refuses =
  (status: number, isRefused: (asked: Asked) => boolean): Script =>
  () =>
  (asked) =>
    isRefused(asked) ? answer("", status) : null;
const more = (most: number) => (asked: Asked) => Number(asked.query.get("limit")) > most;
const beyond = (most: number) => (asked: Asked) => asked.offset > most;
const nextOf = ({ url }: Asked, offset: number): string =>
  `http://elsewhere.example${url.pathname}?limit=20&offset=${offset}`;

/** Pages end where their bytes do, and `next` says so. */
const cutAtBytes = (most: number): Script =>
  listed((page, asked) => {
    const room = page.results.findIndex(
      (_, at) => JSON.stringify(page.results.slice(0, at + 1)).length > most,
    );
    if (room <= 0) return page;
    return {
      ...page,
      results: page.results.slice(0, room),
      next: nextOf(asked, asked.offset + room),
    };
  });

const sometimesShort = listed((page, asked) =>
  asked.offset % 3 === 1 && page.results.length > 12
    ? { ...page, results: page.results.slice(0, 9), next: nextOf(asked, asked.offset + 9) }
    : page,
);

/** The last page names a next one, and that has this status; the list is not empty. */
const endsWith =
  (status: number): Script =>
  () =>
  (asked) => {
    const page = pageIn(asked);
    if (!isList(asked) || page === null) return null;
    if (page.results.length === 0) return status === 200 ? null : answer("", status);
    return answer({ ...page, next: page.next ?? nextOf(asked, asked.offset + 20) });
  };

const capFalls =
  (cap: number, at: number): Script =>
  (service) =>
  (asked) => {
    if (asked.list === at) service.cap = cap;
    return null;
  };

/** The longest quote of all is among those that the plain list hides. */
const hidesTheLongest =
  (script: FalseAnswer): Script =>
  (service) => {
    service.quotes.push(quoteAt(403, { quote: "A long one. ".repeat(40) }));
    return script;
  };

/** Nearly all that the last 1,024 places held is gone: what two windows share is before them. */
const losesItsMiddle: Script = (service) => (asked) => {
  if (asked.list === 83)
    service.quotes = service.quotes.filter(({ pk }) => pk <= 700 || pk > 1_960);
  return null;
};

interface Case {
  readonly quotes?: number;
  readonly cap?: number;
  readonly order?: OrderName;
  readonly label?: HarvestLabel;
  /** Requests. */
  readonly most?: number;
}

const FEW = { most: 34 };
const DEEP = { quotes: 400, label: "complete:sliced" } as const;
const WINDOWED = { quotes: 402, cap: 25, label: "complete:sliced" } as const;
const BY_LIKES = { order: "by likes", label: "best-effort" } as const;

test.each<[string, Script, Case]>([
  ["400 to pages of more than 100", refuses(400, more(100)), { quotes: 300, cap: 100, most: 16 }],
  ["413 to pages of more than 50", refuses(413, more(50)), { quotes: 300, cap: 50, most: 30 }],
  ["422 to pages of more than 20", refuses(422, more(20)), { quotes: 300, most: 35 }],
  ["502 to pages of more than 100", refuses(502, more(100)), { quotes: 1_500, cap: 1e3, most: 40 }],
  ["504 to pages of more than 100", refuses(504, more(100)), { quotes: 1_500, cap: 1e3, most: 40 }],
  ["500 to larger offsets", refuses(500, beyond(300)), DEEP],
  ["504 to larger offsets", refuses(504, beyond(300)), DEEP],
  ["nothing past the 250th", hidesTheLongest(emptyPastWindow), WINDOWED],
  ["with an end at the 250th", hidesTheLongest(endOfWindow), WINDOWED],
  ["with a false count", listed((page) => ({ ...page, count: 7 })), FEW],
  ["with no next as a blank", listed((page) => ({ ...page, next: page.next ?? "" })), FEW],
  ["with a short page now and then", sometimesShort, FEW],
  ["with a next page that is empty", endsWith(200), FEW],
  ["with a next page that is not found", endsWith(404), FEW],
  ["with a next page without content", endsWith(204), FEW],
  // No slice of such a list could be whole.
  ["by likes, with a next page that is not found", endsWith(404), { ...BY_LIKES, most: 39 }],
  ["by likes, 504 to lengths", refuses(504, ({ query }) => query.has("minlength")), BY_LIKES],
  ["with pages of 500 bytes", cutAtBytes(500), { quotes: 300, cap: 100 }],
  ["with pages of 5,000 bytes", cutAtBytes(5_000), { quotes: 300, cap: 100 }],
  ["with smaller pages from the 8th on", capFalls(3, 8), {}],
  ["newest first, with smaller pages", capFalls(3, 8), { order: "newest first" }],
  ["by likes, with smaller pages", capFalls(3, 8), { order: "by likes", label: "complete:sliced" }],
  ["with smaller pages from the 2nd on", capFalls(7, 2), { cap: 100 }],
  ["with smaller pages from the 3rd on", capFalls(7, 3), { cap: 100 }],
  ["with smaller pages from the 4th on", capFalls(7, 4), { cap: 100 }],
  ["with a gap to the start", losesItsMiddle, { quotes: 3_400, cap: 25 }],
])("a service that answers %s is read whole", async (_, scriptFor, one) => {
  const { quotes = 200, cap = 20, order = "by key", label = "complete:proved", most = 1e3 } = one;
  const nights = await beginNights({ quotes: libraryOf(quotes), cap, order });
  nights.service.script = scriptFor(nights.service);
  const ended = await nights.run();
  expect(ended).toMatchObject({ status: 0, published: true, label });
  expectWhole(nights);
  expect(ended.requests).toBeLessThanOrEqual(most);
});
