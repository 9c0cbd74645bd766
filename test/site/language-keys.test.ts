/** The pages of a language name all languages: their cache keys change with each name. */
import { expect, test, vi } from "vitest";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";

// A name that tsc does not follow: it knows no type of `.astro` files, `astro check` does.
const page: string = "../../src/pages/language/[slug]/[...page].astro";

interface Entry {
  readonly params: { readonly slug: string };
  readonly cacheKey: string;
}

async function keyOf(slug: string, quotes: readonly QuoteDraft[]): Promise<string | undefined> {
  vi.stubEnv("STATE_DIR", makeSnapshot({ quotes }).stateDir);
  vi.resetModules();
  const { getStaticPaths } = (await import(page)) as { getStaticPaths: () => Entry[] };
  return getStaticPaths().find(({ params }) => params.slug === slug)?.cacheKey;
}

test("a language whose code is spelled otherwise, and with it its name, changes the pages of the others", async () => {
  const withCode = (language: string): QuoteDraft[] => [{ id: 1 }, { id: 2, language }];
  const before = await keyOf("en", withCode("en-x-short"));
  expect(before).toBeDefined();
  expect(await keyOf("en", withCode("en-x-short"))).toBe(before);
  expect(await keyOf("en", withCode("EN-X-SHORT"))).not.toBe(before);
});
