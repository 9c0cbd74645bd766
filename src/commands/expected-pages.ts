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
import { OWN_KIND, type Budget, type PageToAudit } from "../audit/page/rules.ts";
import { languageOf } from "../contract/languages.ts";
import type { SitePageKind } from "../contract/page-kind.ts";
import { ROOT } from "../files/name-of.ts";
import { redirectPages } from "../hosts/prepare-host.ts";
import type { Settings } from "../settings/settings.ts";
import { recordedFiles } from "../render/written-files.ts";
import type { PlannedPage, SiteReader } from "../site/index.ts";
import { readRoutes, type Routes, siteFolder } from "./site-folder.ts";

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

const FIXED_KINDS = new Map<string, SitePageKind>(
  Object.entries(FIXED_PATHS).map(([kind, path]) => [path, kind as SitePageKind]),
);

/** Of the pages in the place of some that moved. */
const MOVED_KIND = "moved";

export function expectedPages(reader: SiteReader, settings: Settings) {
  const { site } = settings;
  const routes = routesOfSite();
  const { patterns } = routes;
  const matches = (some: readonly RegExp[], path: string): boolean =>
    some.some((pattern) => pattern.test(path));
  const examples = Object.values(EXAMPLES);
  const own = patterns.filter((pattern) => !examples.some((path) => pattern.test(path)));
  const unlisted = new Set(site.unlisted);
  // One object for all pages of a kind: messages to threads repeat none.
  const budgets = new Map<string, Budget>();
  let recorded: ReadonlySet<string> | undefined;
  return {
    /** Whether routes of a fork, or an integration, may have made a page: their number is not known. */
    mayHave: (path: string): boolean => {
      if (matches(patterns, path)) return matches(own, path);
      if (unlisted.has(path)) return true;
      recorded ??= recordedFiles(settings.stateDir);
      return recorded.has(fileOf(path));
    },
    /** The pages that are one file each, and those of the collection for which there is a route. */
    *pages(): Generator<PageToAudit> {
      for (const { kind, path, planned } of kindsAndPaths(routes, reader, settings)) {
        yield {
          ...{ kind, path, file: fileOf(path) },
          quotes: planned === undefined ? null : reader.quotesOn(planned),
          budget: budgets.getOrInsertComputed(kind, () => budgetFor(kind, site)),
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
  const site = siteFolder();
  const own = site === null ? [] : [join(site, "pages")];
  return readRoutes(join(ROOT, "src/pages"), ...own);
}

interface ExpectedPage {
  readonly kind: SitePageKind;
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

/** Of a page with no quote on it: the frame, the menu, the policy, the footer. */
const FRAME = 30_000;
/** Of a quote in a list: its markup, its author and tags, its vote. */
const A_QUOTE = 2_400;

/** Half as much again as pages weigh, or more. Indexes grow with the collection, up to what a person can still read. */
const HTML: Readonly<Partial<Record<SitePageKind, number>>> = {
  home: FRAME + 20 * A_QUOTE,
  today: FRAME + 50 * A_QUOTE,
  day: FRAME + 50 * A_QUOTE,
  new: FRAME + 60 * A_QUOTE,
  calendar: 90_000,
  tags: 400_000,
  authors: 120_000,
  initial: 120_000,
  search: 90_000,
  quote: FRAME,
  offline: FRAME,
  embed: 6_000,
};

const LISTINGS = ["tag", "author", "language"];

/** Pages that show other scripts in typefaces cut to their words, and what these may weigh with Latin and its accents. */
const SMALL_FACES = ["home", "languages", "authors"];
const FACES = 140_000;

/** @param kind of the page; one that has no budget of its own has that of a plain page, twice over */
function budgetFor(kind: SitePageKind, { perPage, budgets, language }: Settings["site"]): Budget {
  const listing = LISTINGS.includes(kind) ? FRAME + perPage * A_QUOTE : undefined;
  const isSmall = SMALL_FACES.includes(kind) && languageOf(language).script === "latin";
  const html = budgets.html[kind] ?? listing ?? HTML[kind] ?? 2 * FRAME;
  const fonts = isSmall ? Math.min(FACES, budgets.fonts) : budgets.fonts;
  return { html, css: budgets.css, js: budgets.js, fonts };
}
