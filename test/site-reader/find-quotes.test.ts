/** `findQuotes()` and the component `Quotes`: what they show on pages of a site's own, and what is said where a tag is gone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filtersIn, partsOf } from "../../src/components/quote/quotes-tags.ts";
import { ConfigurationError } from "../../src/contract/errors.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSite } from "../support/site/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

const QUOTES = [
  { id: 1, author: "Seneca", tags: ["hope"], likes: 1 },
  { id: 2, author: "Seneca", tags: ["hope", "sea"], likes: 9 },
  { id: 3, author: "Lao Tzu", tags: ["hope"], likes: 5, language: "de" },
  { id: 4, author: "Lao Tzu", tags: ["Open Sea"], likes: 7 },
  { id: 5, author: "Seneca", tags: ["hope"], likes: 3 },
];

describe("findQuotes()", () => {
  const site = makeSite(QUOTES, { perPage: 2 });
  const ids = (filter: Parameters<typeof site.findQuotes>[0]): number[] =>
    site.findQuotes(filter).cards.map(({ id }) => id);

  test.each([
    [{}, [2, 4, 3, 5, 1]],
    [{ tag: "hope" }, [2, 3, 5, 1]],
    [{ tag: "hope", author: "Seneca" }, [2, 5, 1]],
    [{ tag: "hope", author: "seneca", limit: "2" }, [2, 5]],
    [{ author: "lao-tzu", language: "de" }, [3]],
    [{ tag: "Open Sea" }, [4]],
    [{ tag: "open-sea" }, [4]],
    [{ tag: "sea", author: "Lao Tzu" }, []],
  ])("of %j gives those, most liked first", (filter, expected) => {
    expect(site.findQuotes(filter).unknown).toEqual([]);
    expect(ids(filter)).toEqual(expected);
  });

  test("names everything that the site does not have, and gives nothing", () => {
    expect(site.findQuotes({ tag: "gone", author: "Seneca", language: "xx" })).toEqual({
      cards: [],
      unknown: ['tag "gone"', 'language "xx"'],
    });
  });

  test.each([0, 101, 1.5, "many", ""])("refuses the limit %j", (limit) => {
    expect(() => site.findQuotes({ limit })).toThrow(ConfigurationError);
  });
});

test("the elements of a text are found as HTML writes them, and their names are read as text", () => {
  const html =
    '<p>a</p><quotes tag="a &amp; b" limit="3"></quotes><p>b</p><Quotes author=\'Lao > Tzu\' /><p>c</p>';
  expect(partsOf(html)).toEqual([
    "<p>a</p>",
    { tag: "a & b", limit: "3" },
    "<p>b</p>",
    { author: "Lao > Tzu" },
    "<p>c</p>",
  ]);
  expect(filtersIn("<p>quotes</p><blockquote>x</blockquote>")).toEqual([]);
});

const MARKDOWN = (element: string): string =>
  `---\ntitle: Some\n---\n\nBefore.\n\n${element}\n\nAfter _it_.\n`;

const SITE = {
  "pages/one.md": MARKDOWN('<Quotes tag="hope" author="Seneca" limit="2" />'),
  "pages/two.mdx": MARKDOWN('<Quotes tag="hope" limit={1} />'),
  "pages/three.astro": `---
import Quotes from "astro-commonplace/components/quote/Quotes.astro";
import Page from "astro-commonplace/layouts/Page.astro";
---

<Page title="Three"><h1>Three</h1><Quotes language="de" /><p>After</p></Page>
`,
  "pages/four.md": MARKDOWN('<Quotes tag="gone" />'),
};

test(
  "Markdown, MDX and Astro pages show quotes, and the run names a page whose tag is gone",
  { tags: "long" },
  async () => {
    const site = folderWith(SITE);
    const { stateDir } = makeSnapshot({ quotes: QUOTES });
    const outDir = join(tempFolder("quotes"), "dist");
    const args = ["--state", stateDir, "--out", outDir];
    const { status, stdout } = await run("render", args, { SITE_DIR: site });
    expect(status).toBe(0);
    const page = (name: string): string => readFileSync(join(outDir, name, "index.html"), "utf8");
    const shown = (name: string): number[] =>
      [...page(name).matchAll(/<article class="quote" id="q(\d+)"/g)].map(([, id]) => Number(id));
    expect(shown("one")).toEqual([2, 5]);
    expect(shown("two")).toEqual([2]);
    expect(shown("three")).toEqual([3]);
    expect(shown("four")).toEqual([]);
    for (const name of ["one", "two", "four"]) {
      expect(page(name)).toMatch(/Before\.<\/p>[\s\S]*<p>After <em>it<\/em>/);
      expect(page(name)).not.toMatch(/<\/?quotes\b/i);
    }
    expect(stdout).toContain('<Quotes> on /four/ shows nothing: there is no tag "gone"');
  },
);
