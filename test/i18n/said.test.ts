/** No sentence is written in fourteen languages and said on no page. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TRANSLATIONS } from "../../src/i18n/translations.ts";

const SRC = join(import.meta.dirname, "../../src");

const words = new Set(
  globSync("**/*.{ts,astro}", { cwd: SRC })
    .filter((file) => !file.startsWith("i18n/"))
    .flatMap((file) => readFileSync(join(SRC, file), "utf8").match(/\w+/g) ?? []),
);

const { page, reader, vote, build } = TRANSLATIONS.en;

test.each([
  ["of the pages", page],
  ["of the build", build],
  ["for readers", reader],
  ["of a vote", { ...vote.card, ...vote.states }],
])("every sentence %s is asked for by its name", (_, sentences) => {
  expect(Object.keys(sentences).filter((name) => !words.has(name))).toEqual([]);
});
