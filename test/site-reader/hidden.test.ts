/** What the operator hides is on no page and in no list, though the snapshot keeps it. */
import { expect, test } from "vitest";
import { makeSite } from "../support/site/index.ts";

const QUOTES = [
  { id: 1, likes: 9, author: "Molière", tags: ["love"], language: "fr" },
  { id: 2, likes: 8, author: "Ada", tags: ["Life"], language: "en" },
  { id: 3, likes: 7, author: "Ada", tags: ["work"], language: "en" },
  { id: 4, likes: 6, author: null, tags: [], language: "en" },
];

const shown = (hidden: { pks?: number[]; authors?: string[]; tags?: string[] }): number[] =>
  makeSite(QUOTES, { hidden: { pks: [], authors: [], tags: [], ...hidden } })
    .top(10)
    .map(({ quote }) => quote.id);

test.each([
  ["nothing", {}, [1, 2, 3, 4]],
  ["a quote by its pk", { pks: [3, 99] }, [1, 2, 4]],
  ["an author under any spelling", { authors: ["MOLIERE"] }, [2, 3, 4]],
  ["a tag under any spelling", { tags: ["life"] }, [1, 3, 4]],
  ["all of them", { pks: [4], authors: ["ada"], tags: ["Love"] }, []],
])("openSiteWith() hides %s", (_, hidden, expected) => {
  expect(shown(hidden)).toEqual(expected);
});

test("openSiteWith() plans no page and no term of what is hidden", () => {
  const site = makeSite(QUOTES, { hidden: { pks: [], authors: ["Molière"], tags: [] } });
  const paths = Array.from(site.pages(), ({ path }) => path);
  expect(paths).not.toContain("/author/moliere/");
  expect(paths).not.toContain("/language/fr/");
  expect(paths).not.toContain("/quote/1/");
  expect(paths).toContain("/author/ada/");
  expect(site.summary().quotes).toBe(3);
  expect(site.card(1)).toBeUndefined();
});
