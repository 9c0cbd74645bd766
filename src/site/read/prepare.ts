/**
 * Sees to it that the catalogue on disk is the one of the current snapshot and settings.
 *
 * This is where the plan, which is pure, and the catalogue, which is storage, are put together.
 */
import { join } from "node:path";
import { buildCatalogue } from "../../catalogue/build.ts";
import { Catalogue } from "../../catalogue/open.ts";
import { DiskError } from "../../contract/errors.ts";
import { compareInitials, initialOf } from "../../plan/initials.ts";
import { planTerms } from "../../plan/terms.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";

/** Authors on a page of their index: some 20 kB of HTML. */
export const AUTHORS_PER_PAGE = 240;

export interface CatalogueNeeds {
  readonly stateDir: string;
  readonly perPage: number;
  /** Quotes with a page of their own. */
  readonly quotePages: number;
  /** What tells one thumbnail from another; null where a quote has none. */
  readonly pictureOf?: ((image: string) => string | null) | undefined;
  /** Stands for all that `pictureOf` says: changes when any of it does. */
  readonly picturesKey?: string | undefined;
}

/** Opens the catalogue of a snapshot, after building it where there is none or it is of something else. */
export function prepareCatalogue(snapshot: PublishedSnapshot, needs: CatalogueNeeds): Catalogue {
  const path = join(needs.stateDir, "catalogue.sqlite");
  const key = JSON.stringify([
    snapshot.id,
    needs.perPage,
    needs.quotePages,
    AUTHORS_PER_PAGE,
    needs.picturesKey ?? "",
  ]);
  const kept = openKept(path, key);
  if (kept !== null) return kept;
  buildCatalogue({
    snapshotPath: snapshot.path,
    path,
    key,
    perPage: needs.perPage,
    authorsPerPage: AUTHORS_PER_PAGE,
    quotePages: needs.quotePages,
    planTerms,
    initialOf,
    compareInitials,
    pictureOf: needs.pictureOf ?? (() => null),
  });
  return new Catalogue(path);
}

/** Null where there is no catalogue of this key; one that cannot be read is as good as none. */
function openKept(path: string, key: string): Catalogue | null {
  let catalogue: Catalogue | null = null;
  try {
    catalogue = new Catalogue(path);
    if (catalogue.isOf(key)) return catalogue;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  catalogue?.close();
  return null;
}
