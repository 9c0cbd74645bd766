/** All pages of the site, one after another; none of them is held. */
import { hash } from "node:crypto";
import type { SiteReader } from "../reader.ts";
import type { PlannedPage } from "../types.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import { FIXED_PATHS, initialPath, listingPath, quotePath } from "../../plan/paths.ts";

type FixedKind = keyof typeof FIXED_PATHS;

export function* plannedPages(site: SiteReader, catalogue: Catalogue): Generator<PlannedPage> {
  const shown: Readonly<Record<FixedKind, () => unknown>> = {
    home: () => site.home(),
    today: () => site.today(),
    languages: () => site.languages(),
    tags: () => site.tags(),
    authors: () => site.authors(),
    about: () => site.about(),
    build: () => site.lastBuild(),
    search: () => [site.languages(), site.tags().length, site.curatedIds() !== null],
    favourites: () => null,
    random: () => null,
    api: () => null,
    notFound: () => null,
  };
  for (const [kind, path] of Object.entries(FIXED_PATHS) as [FixedKind, string][]) {
    const digest = hash("sha256", JSON.stringify(shown[kind]())).slice(0, 32);
    yield { kind, path, slug: "", page: 1, digest };
  }
  for (const { kind, slug, page, digest } of catalogue.planned()) {
    const path = kind === "initial" ? initialPath(slug, page) : listingPath(kind, slug, page);
    yield { kind, path, slug, page, digest };
  }
  for (const { id, digest } of catalogue.cards()) {
    yield { kind: "quote", path: quotePath(id), slug: String(id), page: 1, digest };
  }
}
