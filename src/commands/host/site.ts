/** The site as the history of its addresses asks for it: from the plan, never from the files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FIXED_PATHS, initialPath, listingPath, quotePath } from "../../plan/paths.ts";
import type { Listing, PlaceKind, Site } from "../../hosts/moved/site.ts";
import type { Settings } from "../../settings/settings.ts";
import type { SiteReader } from "../../site/reader.ts";
import type { ListingPath } from "../../site/types.ts";
import { UNKNOWN_SLUG } from "../../plan/slug.ts";

/** Quotes of a listing that it is known again by. */
const SAMPLE = 5;

const KINDS: readonly PlaceKind[] = ["tag", "author", "language", "initial"];

const FIXED = new Set<string>(Object.values(FIXED_PATHS));
const PAGE = /^\/(tag|author|language|authors)\/([^/]+)\/(?:(\d+)\/)?$/u;
const QUOTE = /^\/quote\/(\d+)\/$/;
const FEED = /\/feed\.(?:xml|json)$/;

/** @param snapshot id of the snapshot that the reader reads */
export function addressesOf(reader: SiteReader, settings: Settings, snapshot: string): Site {
  const pages = new Map(KINDS.map((kind) => [kind, pagesBySlug(pathsOf(reader, kind))]));
  const { perPage, quotePages, minTagQuotes, hidden } = settings.site;
  return {
    key: JSON.stringify([snapshot, perPage, quotePages, minTagQuotes, hidden]),
    *listings() {
      for (const [kind, slugs] of pages) {
        for (const [slug, { count, digest }] of slugs) {
          const read = () => readListing(reader, kind, slug);
          yield { kind, slug, pages: count, digest, read };
        }
      }
    },
    *quotePages() {
      for (const { id } of reader.quotePaths()) yield id;
    },
    where(id) {
      const card = reader.card(id);
      if (card === undefined) return null;
      const { author, tags, permalink } = card;
      const named = author.slug === UNKNOWN_SLUG ? null : author.slug;
      return { id, author: named, tags: tags.map(({ slug }) => slug), place: permalink };
    },
    pathOf: (kind, slug, page = 1) =>
      kind === "initial" ? initialPath(slug, page) : listingPath(kind, slug, page),
    quotePath,
    isPage(path) {
      if (FIXED.has(path)) return true;
      if (FEED.test(path)) return existsSync(join(settings.outDir, path));
      const quote = QUOTE.exec(path)?.[1];
      if (quote !== undefined) return reader.card(Number(quote))?.permalink === path;
      const [, folder = "", slug = "", page = "1"] = PAGE.exec(path) ?? [];
      const kind = folder === "authors" ? "initial" : (folder as PlaceKind);
      return Number(page) <= (pages.get(kind)?.get(slug)?.count ?? 0);
    },
  };
}

function pathsOf(reader: SiteReader, kind: PlaceKind): ListingPath[] {
  return kind === "initial" ? reader.initialPaths() : reader.listingPaths(kind);
}

interface Pages {
  readonly count: number;
  /** Of the first. */
  readonly digest: string;
}

/** Page 1 of a listing comes before its others. */
function pagesBySlug(paths: readonly ListingPath[]): Map<string, Pages> {
  const pages = new Map<string, Pages>();
  for (const { slug, page, digest } of paths) {
    const first = pages.get(slug);
    pages.set(slug, { count: Math.max(page, first?.count ?? 0), digest: first?.digest ?? digest });
  }
  return pages;
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
