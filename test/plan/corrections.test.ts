/** Corrections: what they change, what they leave, and that exactly the pages that show a change have another key. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_CORRECTIONS, type Corrections } from "../../src/contract/corrections.ts";
import { listingPath } from "../../src/plan/index.ts";
import type { PageReader } from "../../src/site/index.ts";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";

const QUOTES: QuoteDraft[] = [
  { id: 1, text: "One.", author: "Laozi", likes: 9, tags: ["way", "Humour"], language: "en" },
  { id: 2, text: "Two.", author: "Lao-tzu", likes: 8, tags: ["humour"], language: "en" },
  { id: 3, text: "Three.", author: "Plato", likes: 7, tags: ["source-needed"], language: "en" },
  { id: 4, text: "Four.", author: "Unknown", likes: 6, tags: ["love", "lovers"], language: "fr" },
  { id: 5, text: "Five.", author: null, likes: 5, tags: [], language: "fr" },
];

const correctionsOf = (some: Partial<Corrections>): Corrections => ({ ...NO_CORRECTIONS, ...some });

function cardOf(site: PageReader, id: number) {
  const card = site.card(id) ?? expect.fail(`no card of quote ${id}`);
  const { quote, author, tags, plainTags, source, corrected } = card;
  const names = [...tags.map(({ name }) => name), ...plainTags];
  return {
    text: quote.text,
    author: author.name,
    names,
    language: quote.language,
    source,
    corrected,
  };
}

test("a quote has what its correction says, and else what the service says", () => {
  const source = { work: "Apology", year: null };
  using site = makeSite(QUOTES, {
    corrections: correctionsOf({
      quotes: new Map([
        [3, { text: "Other words.", author: "Socrates", language: "fr", tags: ["x"], source }],
        [1, { author: null }],
      ]),
    }),
  });
  expect(cardOf(site, 3)).toEqual({
    ...{ text: "Other words.", author: "Socrates", names: ["x"], language: "fr", source },
    corrected: true,
  });
  expect(cardOf(site, 1)).toMatchObject({ text: "One.", author: null, names: ["way", "Humour"] });
  expect(cardOf(site, 2).corrected).toBe(false);
  expect(site.servedWords(3)).toMatchObject({ text: "Three.", author: "Plato" });
  expect(site.servedWords(2)).toBeNull();
  expect(site.corrected()).toEqual({ quotes: 2, hidden: 0, remarks: [] });
  expect(site.listing("author", "socrates", 1).ids).toEqual([3]);
});

test("a correction by an author's spelling is of all quotes of it, and one of a quote wins", () => {
  const source = { work: "Tao Te Ching", year: null };
  using site = makeSite(QUOTES, {
    corrections: correctionsOf({
      quotes: new Map([[2, { language: "de" }]]),
      byAuthor: new Map([
        ["LAO TZU", { author: "Lǎozǐ", language: "zh", tags: ["way"], source }],
        ["", { author: "Folk" }],
      ]),
      authors: new Map([["Master Lao", ["Lǎozǐ"]]]),
    }),
  });
  const named = { author: "Master Lao", names: ["way"], source, corrected: true };
  expect(cardOf(site, 2)).toEqual({ ...named, text: "Two.", language: "de" });
  // Another spelling of the author, which the alias alone corrects.
  expect(cardOf(site, 1)).toMatchObject({ author: "Master Lao", language: "en" });
  expect(cardOf(site, 5)).toMatchObject({ author: "Folk" });
  expect(site.corrected().remarks).toEqual([]);
});

test("spellings of an author are one name at one address, and the empty name is none", () => {
  using site = makeSite(QUOTES, {
    corrections: correctionsOf({
      authors: new Map([
        ["Lao Tzu", ["LAOZI", "lao tzu"]],
        ["", ["unknown"]],
      ]),
    }),
  });
  expect(site.listing("author", "lao-tzu", 1)).toMatchObject({ name: "Lao Tzu", ids: [1, 2] });
  expect(site.listing("author", "unknown", 1).ids).toEqual([4, 5]);
  expect(site.page("/author/laozi/")).toBeUndefined();
});

test("tags are renamed, merged and hidden, and a hidden tag hides no quote", () => {
  using site = makeSite(QUOTES, {
    corrections: correctionsOf({
      tags: new Map([
        ["humor", ["humour"]],
        ["love", ["lovers"]],
      ]),
      hiddenTags: ["Source needed"],
    }),
  });
  expect(cardOf(site, 1).names).toEqual(["way", "humor"]);
  expect(cardOf(site, 4).names).toEqual(["love"]);
  expect(cardOf(site, 3)).toMatchObject({ text: "Three.", names: [] });
  expect(
    site
      .tags()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["humor", "love", "way"]);
});

test("a correction that changes nothing is named", () => {
  using site = makeSite(QUOTES, {
    corrections: {
      quotes: new Map([
        [3, { author: "Plato" }],
        [99, { author: "Nobody" }],
      ]),
      byAuthor: new Map([
        ["plato", { author: "Plato" }],
        ["Socrates", { language: "el" }],
      ]),
      authors: new Map([["Lao Tzu", ["Laotse"]]]),
      tags: new Map([["a", ["b"]]]),
      hiddenTags: ["c"],
      copies: new Map([[1, [77]]]),
      unknown: ["quote"],
    },
    copies: "fold",
  });
  expect(site.corrected()).toEqual({
    // Of its own fold: "Lao-tzu" is shown as the name that the site gives.
    quotes: 1,
    hidden: 0,
    remarks: [
      "correction quote means nothing: there is no such key",
      "correction of quote 3: the source has made it",
      "correction of quote 99: no quote has this pk",
      'correction of author "plato": the source has made it',
      'correction of author "Socrates": no quote has this author',
      'author "Laotse" of "Lao Tzu": no quote has it',
      'tag "b" of "a": no quote has it',
      'hidden tag "c": no quote has it',
      "copy 77 of quote 1: the site shows no quote 77",
    ],
  });
});

test("what is hidden stays hidden under its old and its new name", () => {
  const corrections = correctionsOf({ authors: new Map([["Lao Tzu", ["Laozi"]]]) });
  for (const name of ["Laozi", "Lao Tzu"]) {
    const hidden = { pks: [], authors: [name], tags: [] };
    using site = makeSite(QUOTES, { corrections, hidden });
    expect(site.card(1), name).toBeUndefined();
  }
});

/** What each page of a listing and of a quote shows. */
function shownBy(site: PageReader): Map<string, string> {
  const text = (value: unknown): string =>
    JSON.stringify(value, (key, inner: unknown) => (key === "cacheKey" ? undefined : inner));
  const shown = new Map<string, string>();
  for (const page of site.pages()) {
    const { kind, term, number, path } = page;
    if (kind === "quote") {
      const card = site.card(Number(term)) ?? expect.fail(path);
      shown.set(path, text([card, site.moreFor(card), site.servedWords(card.id)]));
    } else if (kind === "tag" || kind === "author" || kind === "language") {
      shown.set(listingPath(kind, term, number), text(site.listing(kind, term, number)));
    }
  }
  return shown;
}

const AUTHORS = ["Laozi", "Lao-tzu", "Plato", "Unknown", "Socrates"];
const TAGS = ["way", "humour", "love", "lovers", "source-needed"];
const name = (names: readonly string[]) => fc.constantFrom(...names);
const spellings = (names: readonly string[]) =>
  fc
    .array(fc.tuple(name(names), fc.array(name(names), { maxLength: 2 })), { maxLength: 2 })
    .map((entries) => new Map(entries));
const anyCorrections: fc.Arbitrary<Corrections> = fc.record({
  quotes: fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 6 }),
        fc.record(
          {
            text: fc.constantFrom("One.", "ONE!", "Else."),
            author: name(AUTHORS),
            tags: fc.array(name(TAGS)),
          },
          { requiredKeys: [] },
        ),
      ),
      { maxLength: 3 },
    )
    .map((entries) => new Map(entries)),
  byAuthor: fc
    .array(fc.tuple(name([...AUTHORS, ""]), fc.record({ author: name(AUTHORS) })), { maxLength: 2 })
    .map((entries) => new Map(entries)),
  authors: spellings(AUTHORS),
  tags: spellings(TAGS),
  copies: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.array(fc.integer({ min: 1, max: 6 }))), {
      maxLength: 2,
    })
    .map((entries) => new Map(entries)),
  hiddenTags: fc.array(name(TAGS), { maxLength: 1 }),
  unknown: fc.constant([]),
});

test("exactly the pages that show something else have another cache key", () => {
  fc.assert(
    fc.property(anyCorrections, anyCorrections, (before, after) => {
      using one = makeSite(QUOTES, { corrections: before, copies: "fold" });
      using other = makeSite(QUOTES, { corrections: after, copies: "fold" });
      const [keys, others] = [cacheKeysOf(one), cacheKeysOf(other)];
      const [shown, shownAfter] = [shownBy(one), shownBy(other)];
      for (const [path, data] of shown) {
        if (!shownAfter.has(path)) continue;
        expect(keys[path] === others[path], path).toBe(data === shownAfter.get(path));
      }
    }),
    { numRuns: 40 },
  );
});

test("a page that shows the words of the service has another key when these change", () => {
  const corrections = correctionsOf({ quotes: new Map([[3, { text: "Ours.", author: "Plato" }]]) });
  const [before, after] = ["Three.", "Three, changed."].map((text) => {
    using site = makeSite(
      QUOTES.map((quote) => (quote.id === 3 ? { ...quote, text } : quote)),
      { corrections },
    );
    return { words: site.servedWords(3)?.text, keys: cacheKeysOf(site) };
  });
  expect([before?.words, after?.words]).toEqual(["Three.", "Three, changed."]);
  const other = Object.entries(before?.keys ?? {}).filter(
    ([path, key]) => after?.keys[path] !== key,
  );
  expect(other.map(([path]) => path)).toEqual(["/quote/3/"]);
});

test("a thousand corrections take under 0.2 s of the processor", () => {
  const many = Array.from({ length: 3_000 }, (_, n) => ({
    ...{ id: n + 1, text: `Text ${n}`, author: `Author ${n % 900}`, tags: [`tag ${n % 50}`] },
  }));
  const corrections = correctionsOf({
    quotes: new Map(many.slice(0, 500).map(({ id }) => [id, { author: "Someone" }])),
    authors: new Map(Array.from({ length: 500 }, (_, n) => [`Name ${n}`, [`Author ${n}`]])),
  });
  const time = (some: Corrections): number => {
    const began = process.cpuUsage();
    makeSite(many, { corrections: some }).close();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  };
  time(NO_CORRECTIONS);
  const rounds = [1, 2, 3].map(() => time(corrections) - time(NO_CORRECTIONS));
  expect(Math.min(...rounds)).toBeLessThan(200);
});
