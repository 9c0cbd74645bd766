/** Every page that a finished site must have, with what it is held to: the plan's, as far as `src/pages` makes them. */
import { join } from "node:path";
import {
  dayPath,
  embedPath,
  FIXED_PATHS,
  fileOf,
  initialPath,
  listingPath,
  quotePath,
} from "../plan/index.ts";
import { OWN_KIND, type PageToAudit } from "../audit/page/rules.ts";
import { ROOT } from "../files/name-of.ts";
import { redirectPages } from "../hosts/prepare-host.ts";
import type { Settings } from "../settings/settings.ts";
import type { PlannedPage, SiteReader } from "../site/index.ts";
import { budgetFor } from "./page-budgets.ts";
import { readRoutes, type Routes } from "./routes.ts";
import { siteFolder } from "./site-folder.ts";

/** A page of each kind that the collection makes; the project has a route for it. */
const EXAMPLES: Readonly<Record<string, string>> = {
  tag: listingPath("tag", "a", 2),
  author: listingPath("author", "a", 2),
  language: listingPath("language", "a", 2),
  initial: initialPath("a", 2),
  quote: quotePath(1),
  day: dayPath("2026-01-01"),
  embed: embedPath("1"),
};

const FIXED_KINDS = new Map<string, string>(
  Object.entries(FIXED_PATHS).map(([kind, path]) => [path, kind]),
);

/** Of the pages in the place of some that moved. */
const MOVED_KIND = "moved";

export interface ExpectedPages {
  /** The pages that are one file each, and those of the collection for which there is a route. */
  readonly pages: () => Generator<PageToAudit>;
  /** Whether a fork's own routes may have made a page: their number is not known. */
  readonly mayHave: (path: string) => boolean;
}

export function expectedPages(reader: SiteReader, settings: Settings): ExpectedPages {
  const { site } = settings;
  const routes = routesOfSite();
  const examples = Object.values(EXAMPLES);
  const own = routes.patterns.filter((pattern) => !examples.some((path) => pattern.test(path)));
  const unlisted = new Set(site.unlisted);
  return {
    mayHave: (path) => own.some((pattern) => pattern.test(path)),
    *pages() {
      for (const { kind, path, planned } of kindsAndPaths(routes, reader, settings)) {
        yield {
          path,
          file: fileOf(path),
          quotes: planned === undefined ? null : reader.quotesOn(planned),
          kind,
          budget: budgetFor(kind, site),
          unlisted: kind === "embed" || kind === MOVED_KIND || unlisted.has(path),
        };
      }
    },
  };
}

/** How many pages of each kind there must be. */
export function expectedKinds(reader: SiteReader, settings: Settings): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of kindsAndPaths(routesOfSite(), reader, settings)) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function routesOfSite(): Routes {
  const site = siteFolder(process.env);
  const own = site === null ? [] : [join(site, "pages")];
  return readRoutes(join(ROOT, "src/pages"), ...own);
}

interface ExpectedPage {
  readonly kind: string;
  readonly path: string;
  /** Of the collection. */
  readonly planned?: PlannedPage;
}

function* kindsAndPaths(
  { fixed, patterns }: Routes,
  reader: SiteReader,
  { stateDir }: Settings,
): Generator<ExpectedPage> {
  for (const path of fixed) yield { kind: FIXED_KINDS.get(path) ?? OWN_KIND, path };
  const isRouted = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
  const routed = new Set(Object.keys(EXAMPLES).filter((kind) => isRouted(EXAMPLES[kind] ?? "")));
  for (const planned of reader.pages()) {
    if (routed.has(planned.kind)) yield { kind: planned.kind, path: planned.path, planned };
  }
  for (const file of redirectPages(stateDir)) {
    yield { kind: MOVED_KIND, path: `/${file.replace(/index\.html$/, "")}` };
  }
}
