/** No sentence is written in fourteen languages and said on no page. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MESSAGES } from "../../src/i18n/all.ts";
import { buildMessages } from "../../src/i18n/build.ts";
import { foundMessages } from "../../src/i18n/found.ts";
import { voteMessages } from "../../src/i18n/vote.ts";

const SRC = join(import.meta.dirname, "../../src");

const words = new Set(
  globSync("**/*.{ts,astro}", { cwd: SRC })
    .filter((file) => !file.startsWith("i18n/"))
    .flatMap((file) => readFileSync(join(SRC, file), "utf8").match(/\w+/g) ?? []),
);

const { card, states } = voteMessages("en");

test.each([
  ["of the pages", MESSAGES.en],
  ["of the build", buildMessages("en")],
  ["of finding", foundMessages("en")],
  ["of a vote", { ...card, ...states }],
])("every sentence %s is asked for by its name", (_, sentences) => {
  expect(Object.keys(sentences).filter((name) => !words.has(name))).toEqual([]);
});
