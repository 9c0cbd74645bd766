/** Every page that a finished site must have, with what it is held to: the plan's, as far as `src/pages` makes them. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  dayPath,
  embedPath,
  FIXED_PATHS,
  fileOf,
  initialPath,
  listingPath,
  quotePath,
} from "../../plan/index.ts";
import { OWN_KIND, type PageToAudit } from "../../audit/page/rules.ts";
import { redirectPages } from "../../hosts/prepare-host.ts";
import type { Settings } from "../../settings/settings.ts";
import type { SiteReader } from "../../site/index.ts";
import { readRoutes, type Routes } from "../routes.ts";
import { siteFolder } from "../site-folder.ts";
import { budgetFor } from "./budgets.ts";

const ROUTES = fileURLToPath(new URL("../../pages", import.meta.url));

function routesOfSite(): Routes {
  const site = siteFolder(process.env);
  return readRoutes(ROUTES, ...(site === null ? [] : [join(site, "pages")]));
}

/** A page of each kind that the collection makes; the project has a route for it. */
const EXAMPLES = {
  tag: listingPath("tag", "a", 2),
  author: listingPath("author", "a", 2),
  language: listingPath("language", "a", 2),
  initial: initialPath("a", 2),
  quote: quotePath(1),
  day: dayPath("2026-01-01"),
  embed: embedPath("1"),
} as const;

const FIXED_KINDS = new Map<string, string>(
  Object.entries(FIXED_PATHS).map(([kind, path]) => [path, kind]),
);

export interface ExpectedPages {
  /** The pages that are one file each, and those of the collection for which there is a route. */
  readonly pages: () => Generator<PageToAudit>;
  /** Whether a fork's own routes may have made a page: how many they make is not for us to know. */
  readonly mayHave: (path: string) => boolean;
}

/** Of the pages in the place of some that moved. */
const MOVED_KIND = "moved";

export function expectedPages(reader: SiteReader, { site, stateDir }: Settings): ExpectedPages {
  const routes = routesOfSite();
  const own = ownPatterns(routes);
  const unlisted = new Set(site.unlisted);
  const page = (kind: string, path: string, quotes: readonly number[] | null): PageToAudit => ({
    path,
    file: fileOf(path),
    quotes,
    kind,
    budget: budgetFor(kind, site),
    unlisted: kind === "embed" || unlisted.has(path),
  });
  const routed = new Set(
    Object.entries(EXAMPLES)
      .filter(([, path]) => routes.patterns.some((pattern) => pattern.test(path)))
      .map(([kind]) => kind),
  );
  return {
    mayHave: (path) => own.some((pattern) => pattern.test(path)),
    *pages() {
      for (const path of routes.fixed) yield page(FIXED_KINDS.get(path) ?? OWN_KIND, path, null);
      for (const planned of reader.pages()) {
        if (!routed.has(planned.kind)) continue;
        yield page(planned.kind, planned.path, reader.quotesOn(planned));
      }
      for (const file of redirectPages(stateDir)) {
        const path = `/${file.replace(/index\.html$/, "")}`;
        yield { ...page(MOVED_KIND, path, null), unlisted: true };
      }
    },
  };
}

/** How many pages of each kind there must be. */
export function expectedKinds(reader: SiteReader, { stateDir }: Settings): Record<string, number> {
  const routes = routesOfSite();
  const counts: Record<string, number> = {};
  const count = (kind: string): void => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  for (const path of routes.fixed) count(FIXED_KINDS.get(path) ?? OWN_KIND);
  const known = (kind: string): kind is keyof typeof EXAMPLES => kind in EXAMPLES;
  for (const { kind } of reader.pages()) {
    if (known(kind) && routes.patterns.some((pattern) => pattern.test(EXAMPLES[kind]))) count(kind);
  }
  redirectPages(stateDir).forEach(() => count(MOVED_KIND));
  return counts;
}

function ownPatterns({ patterns }: Routes): RegExp[] {
  const ours = Object.values(EXAMPLES);
  return patterns.filter((pattern) => !ours.some((path) => pattern.test(path)));
}
