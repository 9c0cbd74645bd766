import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPages } from "../../src/commands/site-pages.ts";
import { tempFolder } from "../support/run/index.ts";

function read(frontmatter: string) {
  const folder = tempFolder("pages");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "house.md"), `---\n${frontmatter}\n---\n\nText.\n`);
  return () => readPages(folder, join(folder, "none"));
}

test.each([
  [
    "title: House\nlanguage: polish",
    /^Cannot use language of .*house\.md:3: expected a language code/,
  ],
  ["description: No title", /^Cannot use title of .*house\.md:1: expected a title$/],
  ["title: [", /^Cannot read .*house\.md:\d+: /],
])("readPages() names file, line and mistake of %j", (frontmatter, message) => {
  expect(read(frontmatter)).toThrow(message);
});

test.each(["pl", "pt_BR", "zh-Hant"])("readPages() takes a page in %s", (language) => {
  expect(read(`title: House\nlanguage: ${language}\nmenu: true`)().pages).toMatchObject([
    { path: "/house/", menu: "House" },
  ]);
});
