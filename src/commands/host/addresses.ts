/** The addresses of a site, for the history of them: from the plan, not from the files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Listing, PlaceKind, SiteAddresses } from "../../hosts/addresses.ts";
import { FIXED_PATHS, UNKNOWN_SLUG } from "../../plan/index.ts";
import type { SiteReader } from "../../site/index.ts";

/** Quotes by which a listing is recognised. */
const SAMPLE = 5;

const KINDS: readonly PlaceKind[] = ["tag", "author", "language", "initial"];

const FIXED = new Set<string>(Object.values(FIXED_PATHS));
const FEED = /\/(?:feed\.(?:xml|json)|atom\.xml)$/;

export function addressesOf(reader: SiteReader, outDir: string): SiteAddresses {
  return {
    *listings() {
      for (const kind of KINDS) {
        const pages = reader.pagesOf(kind);
        const counts = new Map(pages.map(({ term, number }) => [term, number]));
        for (const { term: slug, number, cacheKey: digest } of pages) {
          if (number > 1) continue;
          const read = () => readListing(reader, kind, slug);
          yield { kind, slug, pages: counts.get(slug) ?? 1, digest, read };
        }
      }
    },
    quotePages: () => reader.pagesOf("quote").map(({ term }) => Number(term)),
    where(id) {
      const card = reader.card(id);
      if (card === undefined) return null;
      const { author, tags, permalink } = card;
      const named = author.slug === UNKNOWN_SLUG ? null : author.slug;
      return { id, author: named, tags: tags.map(({ slug }) => slug), place: permalink };
    },
    isPage(path) {
      if (FEED.test(path)) return existsSync(join(outDir, path));
      return FIXED.has(path) || reader.page(path) !== undefined;
    },
  };
}

function readListing(
  reader: SiteReader,
  kind: PlaceKind,
  slug: string,
): ReturnType<Listing["read"]> {
  if (kind === "initial") return { members: reader.initial(slug, 1).initial.authors, sample: [] };
  const { ids, total, cards } = reader.listing(kind, slug, 1);
  const sample = ids.slice(0, SAMPLE).map((id, place) => ({
    id,
    // Only a tag is recognised by the other tags of its quotes.
    tags: kind === "tag" ? (cards[place]?.tags ?? []).map((tag) => tag.slug) : [],
  }));
  return { members: total, sample };
}
