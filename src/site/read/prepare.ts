/**
 * Sees to it that the catalogue on disk is the one of the current snapshot and settings.
 *
 * This is where the plan, which is pure, and the catalogue, which is storage, are put together.
 */
import { dirname, join } from "node:path";
import { buildCatalogue } from "../../catalogue/build.ts";
import type { IsHidden } from "../../catalogue/gather/gather.ts";
import { Catalogue } from "../../catalogue/read/open.ts";
import type { Script } from "../../contract/languages.ts";
import { DiskError } from "../../contract/errors.ts";
import { initialOf, initialsInOrder } from "../../plan/initials.ts";
import { fold } from "../../plan/fold.ts";
import { planTerms } from "../../plan/terms.ts";
import type { SiteConfig } from "../../settings/site-config.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";

/** Authors on a page of their index: some 20 kB of HTML. */
export const AUTHORS_PER_PAGE = 240;

type Hidden = SiteConfig["hidden"];

export interface CatalogueNeeds {
  readonly stateDir: string;
  readonly perPage: number;
  /** Of the site's own language: its letters come first in the index of authors. */
  readonly script: Script;
  /** Quotes with a page of their own. */
  readonly quotePages: number;
  /** Quotes that a tag must have to get a listing; 1 by default. */
  readonly minTagQuotes?: number | undefined;
  /** What the operator shows to nobody, whatever the service says. */
  readonly hidden?: Hidden | undefined;
  /** What tells one thumbnail from another; null where a quote has none. */
  readonly pictureOf?: ((image: string) => string | null) | undefined;
  /** Stands for all that `pictureOf` says: changes when any of it does. */
  readonly picturesKey?: string | undefined;
}

/** Opens the catalogue of a snapshot, after building it where there is none or it is of something else. */
export function prepareCatalogue(snapshot: PublishedSnapshot, needs: CatalogueNeeds): Catalogue {
  const path = join(needs.stateDir, "catalogue.sqlite");
  const asked: readonly unknown[] = [
    needs.perPage,
    needs.quotePages,
    AUTHORS_PER_PAGE,
    needs.picturesKey ?? "",
    needs.hidden ?? null,
    needs.script,
    needs.minTagQuotes ?? 1,
  ];
  const key = JSON.stringify([snapshot.id, ...asked]);
  const kept = openKept(path);
  if (kept?.key === key) return kept.catalogue;
  kept?.catalogue.close();
  const before = kept === null ? null : snapshotBefore(kept.key, asked);
  buildCatalogue({
    snapshotPath: snapshot.path,
    path,
    key,
    before:
      before === null
        ? null
        : { snapshotPath: join(dirname(snapshot.path), `${before}.sqlite`), cataloguePath: path },
    perPage: needs.perPage,
    authorsPerPage: AUTHORS_PER_PAGE,
    quotePages: needs.quotePages,
    minTagQuotes: needs.minTagQuotes ?? 1,
    planTerms,
    initialOf,
    compareInitials: initialsInOrder(needs.script),
    pictureOf: needs.pictureOf ?? (() => null),
    isHidden: hiddenBy(needs.hidden),
  });
  return new Catalogue(path);
}

/** The snapshot that a catalogue was built from, when all else that was asked is the same. */
function snapshotBefore(key: string, asked: readonly unknown[]): string | null {
  const [snapshot, ...rest] = JSON.parse(key) as unknown[];
  return JSON.stringify(rest) === JSON.stringify(asked) ? String(snapshot) : null;
}

/** Names are compared as terms are: any spelling of an author or tag hides all of them. */
function hiddenBy({ pks, authors, tags }: Hidden = NOTHING): IsHidden {
  const ids = new Set(pks);
  const authorKeys = new Set(authors.map(fold));
  const tagKeys = new Set(tags.map(fold));
  return (id, author, names) =>
    ids.has(id) ||
    (authorKeys.size > 0 && author !== null && authorKeys.has(fold(author))) ||
    (tagKeys.size > 0 && names.some((name) => tagKeys.has(fold(name))));
}

const NOTHING: Hidden = { pks: [], authors: [], tags: [] };

/** Null where there is none of this version; one that cannot be read is as good as none. */
function openKept(path: string): { readonly catalogue: Catalogue; readonly key: string } | null {
  let catalogue: Catalogue | null = null;
  try {
    catalogue = new Catalogue(path);
    const { key } = catalogue;
    if (key !== null) return { catalogue, key };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  catalogue?.close();
  return null;
}
