/** Which quotes say the same. */
import { expect, test } from "vitest";
import type { Quote } from "../../src/contract/quote.ts";
import { findCopies } from "../../src/plan/index.ts";

const quote = (id: number, text: string, more: Partial<Quote> = {}): Quote => ({
  ...{ id, text, author: "Plato", likes: 0, tags: [], image: null, language: "en" },
  ...{ served: null, source: null },
  ...more,
});

const found = (...quotes: Quote[]) =>
  findCopies(quotes).map(({ kind, quotes: own }) => [kind, ...own.map(({ id }) => id)]);

test.each([
  ["case and punctuation", "the unexamined life is not worth living"],
  ["quotation marks and dashes", "“The unexamined life — is not worth living!”"],
  ["spaces and lines", "The  unexamined life\nis not worth living."],
])("findCopies() takes texts for alike that differ in %s", (_, other) => {
  const text = "The unexamined life is not worth living.";
  expect(found(quote(1, text), quote(2, other, { likes: 5 }), quote(3, "Else."))).toEqual([
    ["alike", 2, 1],
  ]);
});

test.each([
  ["another author", { author: "Socrates" }],
  ["another language", { language: "fr" }],
  ["no author", { author: null }],
])("findCopies() leaves a text of %s", (_, other) => {
  expect(
    found(quote(1, "One and two and three."), quote(2, "One and two and three.", other)),
  ).toEqual([]);
});

test("findCopies() takes spellings of an author for one, and a changed, added or lost word for near", () => {
  const text = "The unexamined life is not worth living";
  const near = (other: string) =>
    found(quote(1, text, { likes: 1 }), quote(2, other, { author: "PLATO" }));
  for (const other of [
    "The unexamined life is not worth having",
    "The unexamined life is really not worth living",
    "The unexamined life is worth living",
  ])
    expect(near(other), other).toEqual([["near", 1, 2]]);
  expect(near("The unexamined day is not worth having")).toEqual([]);
  // Short texts say something else without a word.
  expect(found(quote(1, "Know thyself"), quote(2, "Know others"))).toEqual([]);
});

test("findCopies() reads 20,000 quotes of an author in a second or two of the processor", () => {
  const many = Array.from({ length: 20_000 }, (_, n) =>
    quote(n + 1, `Sentence number ${n} of a long list that goes on and on for ${n % 7} words`),
  );
  const began = process.cpuUsage();
  findCopies(many);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
