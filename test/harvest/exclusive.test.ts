/** Services whose bounds of length are exclusive, which the contract allows (docs/walk.md, sections 3 and 5). */
import { expect, test } from "vitest";
import type { WireQuote } from "../../src/contract/quote.ts";
import type { Call } from "../support/http/index.ts";
import { json } from "../support/http/index.ts";
import { seeded } from "../support/run/index.ts";
import { cutPage, startHarvests, wireQuote, type Harvests } from "../support/service/index.ts";

const lengthOf = ({ quote }: WireQuote): number => [...quote].length;

/** Answers questions by length with the quotes strictly between the bounds, or with those on them too. */
function countLengths({ service }: Harvests, isInclusive: boolean): void {
  const margin = isInclusive ? 0 : 1;
  service.fault = ({ url }: Call) => {
    const { searchParams: query, pathname } = url;
    const [low, high] = [query.get("minlength"), query.get("maxlength")];
    if (pathname !== "/apiv1/quotes/" || (low === null && high === null)) return null;
    const language = query.get("lang") ?? query.get("language");
    const found = service.quotes.filter((quote) => {
      const length = lengthOf(quote);
      const isBetween =
        length >= Number(low ?? -1) + margin && length <= Number(high ?? Infinity) - margin;
      return isBetween && (language === null || quote.language === language);
    });
    return json(cutPage(found, url, { cap: 20 }));
  };
}

test.each([
  ["exclusive", false],
  ["inclusive", true],
])(
  "a list in another order for each request is read whole in slices whose bounds are %s",
  async (_, isInclusive) => {
    const harvests = await startHarvests(300);
    const { service } = harvests;
    countLengths(harvests, isInclusive);
    service.quotes = service.quotes.map(({ pk }) =>
      wireQuote(pk, { quote: "x".repeat(20 + ((pk * 7) % 90)), language: "en" }),
    );
    const random = seeded(1);
    const byLength = service.fault;
    // The walk misses quotes, so that only slices bring all.
    service.fault = (call) => {
      service.quotes.sort(() => random() - 0.5);
      return byLength(call);
    };
    const { harvest } = await harvests.run();
    expect(harvest.label).toBe("complete:sliced");
    expect(harvests.keys()).toHaveLength(300);
  },
);

test.each([
  ["exclusive", false],
  ["inclusive", true],
])("a quote that was deleted leaves, where bounds are %s", async (_, isInclusive) => {
  const harvests = await startHarvests(120);
  countLengths(harvests, isInclusive);
  // Each length is rare: neighbours are on the bounds as well as between them.
  harvests.service.quotes = harvests.service.quotes.map(({ pk }) =>
    wireQuote(pk, { quote: "x".repeat(20 + pk), language: "en" }),
  );
  await harvests.run();
  const gone = [17, 60, 61, 104];
  harvests.service.quotes = harvests.service.quotes.filter(({ pk }) => !gone.includes(pk));
  const { harvest } = await harvests.run();
  expect({ label: harvest.label, removed: harvest.removed }).toEqual({
    label: "complete:proved",
    removed: gone.length,
  });
  expect(harvests.keys()).toEqual(harvests.service.quotes.map(({ pk }) => pk));
});
