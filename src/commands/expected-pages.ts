/** The pages that a finished site must have, with their budgets: routes of one page, and planned pages that have a route. */
import { join } from "node:path";
import {
  dayPath,
  embedPath,
  FIXED_PATHS,
  fileOf,
  GENERAL_KINDS,
  generalPath,
  initialPath,
  listingPath,
  quotePath,
} from "../plan/index.ts";
import { budgetFor } from "../audit/page/budgets.ts";
import { OWN_KIND, type Budget, type PageToAudit } from "../audit/page/rules.ts";
import { languageOf } from "../contract/languages.ts";
import type { SitePageKind } from "../contract/page-kind.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import { redirectPages } from "../hosts/prepare-host.ts";
import type { Settings } from "../settings/settings.ts";
import { recordedFiles } from "../render/written-files.ts";
import type { PlannedPage, PageReader } from "../site/index.ts";
import { PACKAGE_PAGES, readRoutes, type Routes, siteFolder } from "../themes/site-folder.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

/** An address of each kind of planned page: the route that matches it makes the pages of the kind. */
const EXAMPLES: Readonly<Record<string, string>> = {
  tag: listingPath("tag", "a", 2),
  author: listingPath("author", "a", 2),
  language: listingPath("language", "a", 2),
  initial: initialPath("a", 2),
  quote: quotePath(1),
  day: dayPath("2026-01-01"),
  embed: embedPath("1"),
};

/** A code of no language, in the addresses of general pages. */
const EXAMPLE_CODE = "qqq";

const FIXED_KINDS = new Map<string, SitePageKind>(
  Object.entries(FIXED_PATHS).map(([kind, path]) => [path, kind as SitePageKind]),
);

/** The kind of redirect pages, at the addresses of pages that moved. */
const MOVED_KIND = "moved";

export function expectedPages(reader: PageReader, settings: Settings) {
  const { site } = settings;
  const routes = routesOfSite();
  // The routes of general pages match any address of one part.
  const general = GENERAL_KINDS.map((kind) => generalPath(EXAMPLE_CODE, kind));
  const patterns = routes.patterns.filter((pattern) => !general.some((path) => pattern.test(path)));
  const examples = Object.values(EXAMPLES);
  const own = patterns.filter((pattern) => !examples.some((path) => pattern.test(path)));
  const unlisted = new Set(site.unlisted);
  const canonicalOf = canonicalIn(new Map(reader.copyPairs()));
  // All pages of a kind share one object, so messages to threads do not repeat it.
  const budgets = new Map<string, Budget>();
  let recorded: ReadonlySet<string> | undefined;
  return {
    /** Whether a route of a fork, or an integration, may have made a page that is not in `pages()`. */
    mayHave: (path: string): boolean => {
      if (matches(patterns, path)) return matches(own, path);
      if (unlisted.has(path)) return true;
      recorded ??= recordedFiles(settings.stateDir);
      return recorded.has(fileOf(path));
    },
    *pages(): Generator<PageToAudit> {
      for (const { kind, path, planned } of kindsAndPaths(routes, reader, settings)) {
        const { ids = null, languages = [] } = (planned && reader.quotesOn(planned)) ?? {};
        const localKind = reader.generalPage(path)?.kind;
        const sameHere = localKind === undefined ? path : FIXED_PATHS[localKind];
        yield {
          ...{ kind, path, file: fileOf(path), quotes: ids },
          canonical: canonicalOf(planned),
          langs: languages.map((code) => languageOf(code).tag),
          // A page in another language declares the typefaces of its script.
          budget:
            localKind === undefined
              ? getOrCompute(budgets, kind, () => budgetFor(kind, site))
              : getOrCompute(budgets, `${kind} elsewhere`, () => {
                  return { ...budgetFor(kind, site), fonts: site.budgets.fonts };
                }),
          unlisted: kind === "embed" || kind === MOVED_KIND || unlisted.has(sameHere),
        };
      }
    },
  };
}

/** The file of the page of a quote that is shown in the place of a copy. */
const canonicalIn =
  (originals: ReadonlyMap<number, number>) =>
  (planned: PlannedPage | undefined): string | undefined => {
    if (planned?.kind !== "quote") return undefined;
    const original = originals.get(Number(planned.term));
    return original === undefined ? undefined : fileOf(quotePath(original));
  };

const matches = (patterns: readonly RegExp[], path: string): boolean =>
  patterns.some((pattern) => pattern.test(path));

/** The number of pages of each kind. */
export function expectedKinds(reader: PageReader, settings: Settings): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of kindsAndPaths(routesOfSite(), reader, settings)) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function routesOfSite(): Routes {
  const site = siteFolder();
  const own = site === null ? [] : [join(site, "pages")];
  // In a clone Astro's own folder of pages is that of Commonplace.
  return readRoutes(PACKAGE_PAGES, join(PROJECT_ROOT, "src/pages"), ...own);
}

interface ExpectedPage {
  readonly kind: SitePageKind;
  readonly path: string;
  /** Absent for a page that no plan has. */
  readonly planned?: PlannedPage;
}

function* kindsAndPaths(
  { fixed, patterns }: Routes,
  reader: PageReader,
  { stateDir }: Settings,
): Generator<ExpectedPage> {
  for (const path of fixed) yield { kind: FIXED_KINDS.get(path) ?? OWN_KIND, path };
  const routed = Object.keys(EXAMPLES).filter((kind) => matches(patterns, EXAMPLES[kind] ?? ""));
  for (const planned of reader.pages()) {
    const isGeneral = reader.generalPage(planned.path) !== undefined;
    const hasRoute = isGeneral ? matches(patterns, planned.path) : routed.includes(planned.kind);
    if (hasRoute) yield { kind: planned.kind, path: planned.path, planned };
  }
  for (const file of redirectPages(stateDir)) {
    yield { kind: MOVED_KIND, path: `/${file.replace(/index\.html$/, "")}` };
  }
}
