/** Finished sites of a few files, and sites of a few listings whose quotes move about. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PlaceKind, SiteAddresses } from "../../src/hosts/addresses.ts";
import { tempFolder } from "../support/run/index.ts";

export function siteOf(files: Readonly<Record<string, string>>): string {
  const outDir = tempFolder("dist");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outDir, name)), { recursive: true });
    writeFileSync(join(outDir, name), text);
  }
  return outDir;
}

export interface Entry {
  readonly id: number;
  readonly author: string | null;
  readonly tags?: readonly string[];
  /** Has a page of its own; default no. */
  readonly page?: boolean;
}

/** By the definition, over plain lists: what the real site answers from its plan. */
export function model(quotes: readonly Entry[], perPage = 2): SiteAddresses {
  const pathOf = (kind: PlaceKind, slug: string, page = 1): string =>
    `/${kind}/${slug}/${page === 1 ? "" : `${page}/`}`;
  const quotePath = (id: number): string => `/quote/${id}/`;
  const namesOf = (kind: PlaceKind, { author, tags = [] }: Entry): readonly string[] =>
    kind === "author" ? [author ?? "unknown"] : kind === "tag" ? tags : [];
  const listings = (["author", "tag"] as const).flatMap((kind) => {
    const slugs = new Set(quotes.flatMap((quote) => namesOf(kind, quote)));
    return [...slugs].map((slug) => {
      const own = quotes.filter((quote) => namesOf(kind, quote).includes(slug));
      const sample = own.slice(0, 5).map(({ id, tags = [] }) => ({ id, tags }));
      const pages = Math.ceil(own.length / perPage);
      const digest = JSON.stringify(own.slice(0, perPage));
      return { kind, slug, pages, digest, read: () => ({ members: own.length, sample }) };
    });
  });
  const paths = new Set([
    "/",
    "/tags/",
    ...listings.flatMap(({ kind, slug, pages }) =>
      Array.from({ length: pages }, (_, page) => pathOf(kind, slug, page + 1)),
    ),
    ...quotes.filter(({ page }) => page === true).map(({ id }) => quotePath(id)),
  ]);
  return {
    listings: () => listings,
    quotePages: () => quotes.filter(({ page }) => page === true).map(({ id }) => id),
    where(id) {
      const quote = quotes.find((other) => other.id === id);
      if (quote === undefined) return null;
      const { author, tags = [], page } = quote;
      const place =
        page === true ? quotePath(id) : `${pathOf("author", author ?? "unknown")}#q${id}`;
      return { id, author, tags, place };
    },
    isPage: (path) => paths.has(path.replace(/feed\.xml$/, "")),
  };
}
