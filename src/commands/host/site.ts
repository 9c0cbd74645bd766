/** The site as the history of its addresses asks for it: from the plan, never from the files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Listing, PlaceKind, Site } from "../../hosts/moved/site.ts";
import { FIXED_PATHS, quotePath, termPath, UNKNOWN_SLUG } from "../../plan/index.ts";
import type { Settings } from "../../settings/settings.ts";
import type { SiteReader } from "../../site/index.ts";

/** Quotes of a listing that it is known again by. */
const SAMPLE = 5;

const KINDS: readonly PlaceKind[] = ["tag", "author", "language", "initial"];

const FIXED = new Set<string>(Object.values(FIXED_PATHS));
const FEED = /\/(?:feed\.(?:xml|json)|atom\.xml)$/;

/** @param snapshot id of the snapshot that the reader reads */
export function addressesOf(reader: SiteReader, settings: Settings, snapshot: string): Site {
  const { perPage, quotePages, minTagQuotes, hidden } = settings.site;
  return {
    key: JSON.stringify([snapshot, perPage, quotePages, minTagQuotes, hidden]),
    *listings() {
      for (const kind of KINDS) {
        const counts = new Map<string, number>();
        const pages = reader.pagesOf(kind);
        for (const { term, number } of pages) counts.set(term, number);
        for (const { term: slug, number, cacheKey: digest } of pages) {
          if (number > 1) continue;
          const read = () => readListing(reader, kind, slug);
          yield { kind, slug, pages: counts.get(slug) ?? 1, digest, read };
        }
      }
    },
    *quotePages() {
      for (const { term } of reader.pagesOf("quote")) yield Number(term);
    },
    where(id) {
      const card = reader.card(id);
      if (card === undefined) return null;
      const { author, tags, permalink } = card;
      const named = author.slug === UNKNOWN_SLUG ? null : author.slug;
      return { id, author: named, tags: tags.map(({ slug }) => slug), place: permalink };
    },
    pathOf: termPath,
    quotePath,
    isPage(path) {
      if (FEED.test(path)) return existsSync(join(settings.outDir, path));
      return FIXED.has(path) || reader.hasPage(path);
    },
  };
}

function readListing(
  reader: SiteReader,
  kind: PlaceKind,
  slug: string,
): Pick<Listing, "members" | "sample"> {
  if (kind === "initial") return { members: reader.initial(slug, 1).initial.authors, sample: [] };
  const { ids, total, cards } = reader.listing(kind, slug, 1);
  const sample = ids.slice(0, SAMPLE).map((id, place) => ({
    id,
    // Only a tag is known again by what its quotes carry besides.
    tags: kind === "tag" ? (cards[place]?.tags ?? []).map((tag) => tag.slug) : [],
  }));
  return { members: total, sample };
}
