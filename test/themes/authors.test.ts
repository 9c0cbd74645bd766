/** `site/authors.yaml`: what it may say, and what a mistake in it is answered with. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAuthors } from "../../src/themes/authors.ts";
import { folderWith, tempFolder } from "../support/run/index.ts";

const read = (text: string) =>
  readAuthors(join(folderWith({ "authors.yaml": text }), "authors.yaml"));

test("readAuthors() reads facts, and none where there is no file", () => {
  expect(readAuthors(join(tempFolder("none"), "authors.yaml")).size).toBe(0);
  expect(read("# nothing\n").size).toBe(0);
  const text = 'Plato:\n  bio: "A\\n philosopher\\u202e."\n  years: 428\n"__proto__": { bio: x }\n';
  expect([...read(text)]).toEqual([
    ["Plato", { bio: "A philosopher.", years: "428", wikidata: null, link: null, portrait: null }],
    ["__proto__", { bio: "x", years: null, wikidata: null, link: null, portrait: null }],
  ]);
});

test.each([
  ["- Plato\n", /the authors of .*authors\.yaml:1: expected names/],
  ["Plato: x\n", /Plato of .*:1: expected facts/],
  ["Plato:\n  biography: x\n", /Plato\.biography of .*:2: there is no such key/],
  ["Plato:\n  wikidata: 'Q1\"><script>'\n", /Plato\.wikidata of .*:2: expected an id/],
  ["Plato:\n  link: 'javascript:alert(1)'\n", /Plato\.link of .*:2: expected an http or https/],
  ["Plato:\n  portrait: https://x.example/a.png\n", /Plato\.portrait of .*:2: expected a path/],
  ["Plato:\n  portrait: /../secret.png\n", /Plato\.portrait of .*:2: expected a path/],
])("readAuthors() names file and line of a mistake, number %#", (text, message) => {
  expect(() => read(text)).toThrow(message);
});
