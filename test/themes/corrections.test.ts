/** `site/corrections.yaml`: what it may say, and what a mistake or a hostile file is answered with. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { NO_CORRECTIONS } from "../../src/contract/corrections.ts";
import { readCorrections } from "../../src/themes/corrections.ts";
import { folderWith, tempFolder } from "../support/run/index.ts";

const read = (text: string) =>
  readCorrections(join(folderWith({ "corrections.yaml": text }), "corrections.yaml"));

test("readCorrections() reads every part, and none where there is no file", () => {
  expect(readCorrections(join(tempFolder("none"), "corrections.yaml"))).toBe(NO_CORRECTIONS);
  expect(read("# nothing\n")).toEqual(NO_CORRECTIONS);
  expect(
    read(`
quotes:
  12: { text: "A\\n b.", author: Plato, language: en, tags: [a, b], source: Apology }
  13: { author: null, source: { work: Letters, year: 1854 } }
  "1984": { author: George Orwell, language: en }
authors:
  Lao Tzu: [Laozi, Lao-tzu]
  "": Unknown
tags:
  rename: { old: new }
  merge: { love: [lovers] }
  hide: [bad]
copies:
  7: [8, 9]
  10: 11
`),
  ).toEqual({
    quotes: new Map<number, unknown>([
      [
        12,
        {
          ...{ text: "A\n b.", author: "Plato", language: "en", tags: ["a", "b"] },
          source: { work: "Apology", year: null },
        },
      ],
      [13, { author: null, source: { work: "Letters", year: "1854" } }],
    ]),
    byAuthor: new Map([["1984", { author: "George Orwell", language: "en" }]]),
    authors: new Map([
      ["Lao Tzu", ["Laozi", "Lao-tzu"]],
      ["", ["Unknown"]],
    ]),
    tags: new Map([
      ["new", ["old"]],
      ["love", ["lovers"]],
    ]),
    copies: new Map([
      [7, [8, 9]],
      [10, [11]],
    ]),
    hiddenTags: ["bad"],
    unknown: [],
  });
});

test("a key that means nothing is a remark, also one of JavaScript's own", () => {
  const { unknown, quotes } = read(
    "quote: {}\n__proto__: { a: 1 }\nquotes:\n  1: { __proto__: { text: x }, likes: 3, constructor: x }\ntags: { drop: [] }\n",
  );
  expect(unknown).toEqual([
    ...["quotes.1.__proto__", "quotes.1.likes", "quotes.1.constructor"],
    ...["quote", "__proto__", "tags.drop"],
  ]);
  expect(quotes.get(1)).toEqual({});
  expect(Object.keys({})).toEqual([]);
});

test.each([
  ["quotes:\n  1:\n    text: 3\n", /quotes\.1\.text of .*corrections\.yaml:3: expected text/],
  ["quotes:\n  1:\n    text: ' '\n", /quotes\.1\.text of .*:3: expected text/],
  ["quotes:\n  1.5: { author: x }\n", /quotes\.1\.5 of .*:2: expected the pk of a quote/],
  ["quotes:\n  Plato: { text: x }\n", /quotes\.Plato\.text of .*:2: expected the pk of a quote/],
  ["copies:\n  1: [two]\n", /copies\.1 of .*:2: expected pks of quotes/],
  ["quotes: [1]\n", /quotes of .*:1: expected keys with values/],
  ["quotes:\n  1: { language: '../x' }\n", /language of .*:2: expected a language code/],
  ["quotes:\n  3:\n    language: english\n", /language of .*:3: expected a .* code such as "en"/],
  ["authors:\n  A: { b: c }\n", /authors\.A of .*:2: expected names/],
  ["tags:\n  hide: 3x: 4\n", /corrections\.yaml:2: /],
  ["authors:\n  A: [x]\n  B: [X]\n", /authors\.B of .*:3: "X" has two names: "A" and "B"/],
  [
    "tags:\n  rename: { luv: love }\n  merge:\n    like: [luv]\n",
    /tags\.merge\.like of .*:4: "luv" has two names/,
  ],
  ["authors:\n  A: [B]\n  A: [C]\n", /corrections\.yaml:3: Map keys must be unique/],
  [
    `authors:\n  A: ["${"x".repeat(300)}"]\n`,
    /authors\.A of .*:2: expected at most 200 characters/,
  ],
  ["a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n".concat("d: [*c, *c]\n".repeat(1)), null],
  [
    `a: &a [${"x,".repeat(9)}x]\n${Array.from({ length: 9 }, (_, n) => `${"bcdefghij"[n]}: &${"bcdefghij"[n]} [${`*${"abcdefghi"[n]},`.repeat(9)}*${"abcdefghi"[n]}]`).join("\n")}\n`,
    /Excessive alias count/,
  ],
])("readCorrections() names file and line of a mistake, number %#", (text, message) => {
  if (message === null) expect(read(text).unknown).toEqual(["a", "b", "c", "d"]);
  else expect(() => read(text)).toThrow(message);
});

test("a tag that is renamed, and merged with others, keeps all its spellings", () => {
  const { tags } = read("tags:\n  rename: { luv: love }\n  merge:\n    love: [loving]\n");
  expect([...tags]).toEqual([["love", ["luv", "loving"]]]);
});

test("a file that is too large is refused before it is read", () => {
  expect(() => read(`a: ${"x".repeat(6e6)}`)).toThrow("it is larger than 5 MB");
});

test("text of the file is cleaned as that of a service", () => {
  const { quotes, authors } = read(
    'quotes: { 1: { text: "a\\u0000b\\u200e\\r\\nc" } }\nauthors: { "A\\u202eB\\n": [C] }\n',
  );
  expect(quotes.get(1)?.text).toBe("ab\u200e\nc");
  expect([...authors.keys()]).toEqual(["AB"]);
});
