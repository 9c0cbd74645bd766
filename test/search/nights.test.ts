/** What nights index of a site as it is rendered: votes nothing, a new quote its language. */
import { cpSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentsOf } from "../../src/search/documents.ts";
import { indexSite } from "../../src/search/index-site.ts";
import { contentOf } from "../render/support.ts";
import { buildSite, buildSubSite, type BuiltSite } from "../support/built/index.ts";
import { type QuoteDraft, siteQuotes } from "../support/snapshot/index.ts";
import { LONG_MS } from "../support/tier.ts";

test("documents have every card of a listing, and nothing of it that votes change", async () => {
  const { outDir } = await buildSubSite();
  const pages = globSync("language/en/**/index.html", { cwd: outDir });
  const { documents } = documentsOf(outDir, pages);
  const html = documents.map((document) => document.html).join("");
  const listed = pages.flatMap((page) => idsIn(readFileSync(join(outDir, page), "utf8")));
  expect(listed.length).toBeGreaterThan(50);
  expect(idsIn(html)).toEqual(listed.sort((a, b) => a - b));
  expect(html).not.toMatch(/class="(?:likes|do|permalink)"|vote-box|\/quote\/|\d \w*likes/);
  expect(html).toMatch(/class="tag"/);
});

const idsIn = (html: string): number[] =>
  [...html.matchAll(/<article [^>]*id="q(\d+)"/g)].map(([, id]) => Number(id));

test(
  "votes index nothing, a new quote its language",
  { tags: "long", timeout: LONG_MS },
  async () => {
    const quotes = siteQuotes();
    const votes = quotes.map((quote, at) => ({ ...quote, likes: (at * 37) % 101 }));
    const site = await buildSite({ quotes });
    const night = async (drafts: readonly QuoteDraft[]) => {
      const { outDir } = await buildSite({ quotes: drafts });
      rmSync(join(site.outDir, "language"), { recursive: true });
      cpSync(join(outDir, "language"), join(site.outDir, "language"), { recursive: true });
      return index(site);
    };
    const { languages } = await index(site);
    expect(await night(votes)).toMatchObject({ indexed: 0, languages });
    const more = [...votes, { id: 10_000, text: "A new line.", language: "en", likes: 50 }];
    expect(await night(more)).toMatchObject({ indexed: 1, languages });
    const anew = await buildSite({ quotes: more });
    expect(await index(anew)).toMatchObject({ indexed: languages });
    const [kept, made] = [site, anew].map(({ outDir }) => contentOf(join(outDir, "pagefind")));
    expect(kept).toEqual(made);
  },
);

const index = (site: BuiltSite) =>
  indexSite({ ...site, curated: null, names: { author: [], tag: [] } });
