import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_SLUG_BYTES, onDisk } from "../../src/plan/slug.ts";
import { planTerms, type Spelling, type Term } from "../../src/plan/terms.ts";
import { countNames, realQuotes } from "../support/snapshot/index.ts";
import { anyCharacter } from "../support/any-character.ts";

const KINDS = ["tag", "author", "language"] as const;

const NASTY = [
  ..."con NUL Com1 index 404 2 unknown Unknown . .. ../../etc/passwd a\\b 100% \uD800 é e\u0301".split(
    " ",
  ),
  ..."Ω ας ασ ß SS ﬃ ? ! 🙂 ـ".split(" "),
  ...["</script><img src=x onerror=alert(1)>", "क्".repeat(200), "x".repeat(300)],
  `${"x".repeat(300)}y`,
];

const nameArb = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "grapheme", maxLength: 120 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ minLength: 1, maxLength: 3 }),
);
const spellingsArb = fc.uniqueArray(
  fc.record({ name: nameArb, quotes: fc.integer({ min: 1, max: 5 }) }),
  { selector: ({ name }) => name, maxLength: 60 },
);
const tagListArb = fc.array(fc.record({ name: nameArb, slug: nameArb }), { maxLength: 30 });

/** What every file system and host can take, and nothing that means something in an address. */
function isSafe(slug: string): boolean {
  return (
    /^[\p{L}\p{N}\p{M}_-]+$/u.test(slug) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d|index|404|\d+|-.*|.*-)$/.test(slug) &&
    slug === slug.toLowerCase() &&
    Buffer.byteLength(slug) <= MAX_SLUG_BYTES &&
    slug.isWellFormed()
  );
}

function expectSafe(terms: readonly Term[]): void {
  expect(terms.map(({ slug }) => slug).filter((slug) => !isSafe(slug))).toEqual([]);
  expect(new Set(terms.map(({ slug }) => onDisk(slug))).size).toBe(terms.length);
  expect(new Set(terms.map(({ key }) => key)).size).toBe(terms.length);
}

test.each(KINDS)("planTerms() gives each %s one term and a slug of its own", (kind) => {
  fc.assert(
    fc.property(spellingsArb, tagListArb, (names, tagList) => {
      const terms = planTerms(kind, names, tagList);
      expectSafe(terms);
      const spelt = terms.flatMap((term) => term.spellings.map(({ name }) => name));
      expect(spelt.toSorted()).toEqual(names.map(({ name }) => name).toSorted());
    }),
  );
});

test("planTerms() does not depend on the order of names and tags", () => {
  fc.assert(
    fc.property(spellingsArb, tagListArb, (names, tagList) => {
      expect(planTerms("tag", names.toReversed(), tagList)).toEqual(
        planTerms("tag", names, tagList),
      );
    }),
  );
});

test("planTerms() copes with real names", () => {
  const quotes = realQuotes();
  const authors = countNames(quotes.map(({ author }) => author));
  const terms = planTerms("author", authors);
  expectSafe(terms);
  expect(terms.length).toBeLessThan(authors.length);
  const moliere = terms.find(({ slug }) => slug === "moliere");
  expect(moliere?.spellings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Molière", "Moliere"]),
  );
  expectSafe(planTerms("tag", countNames(quotes.flatMap(({ tags }) => tags))));
  expectSafe(planTerms("language", countNames(quotes.map(({ language }) => language))));
});

const one = (kind: Term["kind"], ...names: (Spelling | string | null)[]): Term[] =>
  planTerms(
    kind,
    names.map((name) => (typeof name === "object" && name !== null ? name : { name, quotes: 1 })),
  );

test("planTerms() shows the commonest spelling, and of equals the first by code unit", () => {
  const [common] = one("author", { name: "Moliere", quotes: 3 }, { name: "Molière", quotes: 4 });
  expect(common).toMatchObject({ name: "Molière", slug: "moliere" });
  const [tied] = one("tag", "love", "Love");
  expect(tied).toMatchObject({ name: "Love", slug: "love" });
});

test("planTerms() keeps the slug `unknown` for quotes without author", () => {
  const terms = one("author", null, "Unknown");
  expect(terms.find(({ name }) => name === null)?.slug).toBe("unknown");
  expect(terms.find(({ name }) => name === "Unknown")?.slug).toMatch(/^unknown-[0-9a-f]{8}$/);
  expect(one("tag", "unknown")[0]?.slug).toBe("unknown");
});

test.each([
  ["en", "en"],
  ["pt-BR", "pt-br"],
  ["zh-Hans", "zh-hans"],
  ["con", expect.stringMatching(/^con-[0-9a-f]{8}$/)],
])("planTerms() puts the language code %s into the address as %s", (code, slug) => {
  expect(one("language", code)[0]?.slug).toEqual(slug);
});

test.each([
  ["takes a fit slug", [{ name: "Self help", slug: "selfhelp" }], "selfhelp"],
  ["refuses a path", [{ name: "Self help", slug: "../x" }], "self-help"],
  ["refuses capitals", [{ name: "Self help", slug: "Selfhelp" }], "self-help"],
  ["refuses a reserved name", [{ name: "Self help", slug: "nul" }], "self-help"],
  ["refuses another tag's own slug", [{ name: "Self help", slug: "love" }], "self-help"],
  [
    "refuses a slug that two tags claim",
    [
      { name: "Self help", slug: "x" },
      { name: "love", slug: "x" },
    ],
    "self-help",
  ],
])("planTerms() %s from the service's tag list", (_, tagList, slug) => {
  const names = ["Self help", "love"].map((name) => ({ name, quotes: 1 }));
  const terms = planTerms("tag", names, tagList);
  expect(terms.find(({ name }) => name === "Self help")?.slug).toBe(slug);
});

test("planTerms() has 200 languages at most, those of the contract first, and counts others as unknown", () => {
  const codes = Array.from({ length: 300 }, (_, n) => `x${n}`);
  const made = codes.map((name, n) => ({ name, quotes: 300 - n }));
  const terms = planTerms("language", [...made, { name: "te", quotes: 1 }]);
  expect(terms).toHaveLength(200);
  const [te, und] = ["te", "und"].map((slug) => terms.find((term) => term.slug === slug));
  expect(te?.spellings).toEqual([{ name: "te", quotes: 1 }]);
  expect(und).toMatchObject({ name: "und", key: "und" });
  expect(und?.spellings.map(({ name }) => name)).toEqual(codes.slice(198));
  expect(planTerms("language", made.slice(0, 200)).map(({ slug }) => slug)).not.toContain("und");
});
