/** `next`, `previous` and the window, as Django REST Framework gives them. */
import { expect, test } from "vitest";
import { holding, page, quote } from "../support/running.ts";

const hundred = Array.from({ length: 100 }, (_, index) => quote(index + 1, { tags: ["a", "b"] }));

const SECOND = "limit=5&offset=5";

test.each([
  ["nothing asked for", "", SECOND, null],
  ["the second page: no offset for the first", "limit=5&offset=5", "limit=5&offset=10", "limit=5"],
  ["an offset within the first page", "limit=5&offset=3", "limit=5&offset=8", "limit=5"],
  ["the third page", "limit=5&offset=10", "limit=5&offset=15", "limit=5&offset=5"],
  ["the last page", "limit=50&offset=50", null, "limit=50"],
  ["beyond the end", "limit=50&offset=500", null, "limit=50&offset=450"],
  ["clamped without a word", "limit=1000", "limit=20&offset=20", null, 20],
  ["a limit of zero", "limit=0", SECOND, null],
  ["a negative limit", "limit=-1", SECOND, null],
  ["a limit that is no number", "limit=ten", SECOND, null],
  ["a negative offset", "offset=-10", SECOND, null],
  ["an offset that is no number", "offset=1e3", SECOND, null],
  ["a repeated limit: the last counts", "limit=7&limit=9", "limit=9&offset=9", null],
  ["sorted, commas encoded", "tags=a,b&curated=0", "curated=0&limit=5&offset=5&tags=a%2Cb", null],
  ["repeated and blank ones kept", "x=2&x=1&x=&y", "limit=5&offset=5&x=2&x=1&x=&y=", null],
  ["format travels along", "format=api", "format=api&limit=5&offset=5", null],
  ["as Python writes", "x=a b!*'()~&x=é", `${SECOND}&x=a+b%21%2A%27%28%29~&x=%C3%A9`, null],
])("next and previous: %s", async (_, query, next, previous, maxLimit = 100) => {
  const { url } = await holding(hundred, { maxLimit, publicUrl: "http://q.example" });
  const links = await page(`${url}/apiv1/quotes/?${query}`);
  const at = (tail: string | null): string | null =>
    tail === null ? null : `http://q.example/apiv1/quotes/?${tail}`;
  expect([links.next, links.previous]).toEqual([at(next), at(previous)]);
});

test("the form without a question mark is read as parameters and linked as a query", async () => {
  const { url } = await holding(
    hundred.map((one) => ({ ...one, curated: one.pk % 2 === 0 })),
    { publicUrl: "http://q.example" },
  );
  const { results, next } = await page(
    `${url}/apiv1/quotes/curated=1&language=en?limit=3&offset=3`,
  );
  expect(results.map(({ pk }) => pk)).toEqual([8, 10, 12]);
  expect(next).toBe("http://q.example/apiv1/quotes/?curated=1&language=en&limit=3&offset=6");
});
