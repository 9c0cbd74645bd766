/**
 * The Astro integration: `integrations: [commonplace()]` in `astro.config.mjs` makes an Astro project a quotes site.
 *
 * It sets everything of Astro's configuration that the pages need, and adds its parts after itself, so that a site's own
 * integrations run after them. The policy (CSP) is in src/layouts/content-policy.ts.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AstroInlineConfig, AstroIntegration } from "astro";
import { ConfigurationError } from "../contract/errors.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";
import { installPlugin } from "../images/icons.ts";
import { FONTS } from "../layouts/fonts.ts";
import { contentPolicy } from "../layouts/content-policy.ts";
import { renderPages } from "../render/integration.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { setSiteData, type SiteData } from "../settings/site-data.ts";
import { attributionOf } from "../site/index.ts";
import { planVersion } from "../plan/index.ts";
import { readPointer } from "../snapshot/index.ts";
import { themePapers } from "../themes/colours.ts";
import { ownPackages } from "../themes/own-packages.ts";
import { themePlugin } from "../themes/plugin.ts";
import { pathsOf, siteIntegration, sourceOf } from "../themes/site-integration.ts";
import { loadSite, publicFolders, themePlaces } from "../themes/site-folder.ts";
import { themeFolders } from "../themes/theme.ts";
import { readsBeyondProps } from "../themes/unkeyed.ts";
import { configFile, refuseDecidedKeys, refuseHiddenKeys } from "./astro-config.ts";
import { PREPARE_BUILD } from "./prepare-build.ts";

/** Routes with thousands of pages: worker threads render them, and skip what is unchanged (docs/astro.md). */
export const BULK_ROUTES: readonly string[] = [
  "/tag/[slug]/[...page]",
  "/author/[slug]/[...page]",
  "/language/[slug]/[...page]",
  "/authors/[slug]/[...page]",
  "/quote/[id]",
  "/today/[date]",
  "/embed/[id]",
  "/embed/[id]/oembed.json",
  "/api/v1/random/[file].json",
  "/api/v1/[kind]/[slug].json",
  ...["tag", "author", "language"].flatMap((kind) =>
    ["feed.xml", "atom.xml", "feed.json"].map((feed) => `/${kind}/[slug]/${feed}`),
  ),
];

export interface CommonplaceOptions {
  /** Routes that worker threads render, by Astro's names; default all that have many pages. With none the site is the same. */
  readonly bulk?: readonly string[];
}

const NAME = "commonplace";

/** Reads `site/` and the environment, and adds the pages of Commonplace to an Astro project. */
export default function commonplace(options: CommonplaceOptions = {}): AstroIntegration {
  const { bulk = BULK_ROUTES, ...unknown } = options;
  return {
    name: NAME,
    hooks: {
      "astro:config:setup": async ({ command, config, updateConfig }) => {
        refuseOptions(Object.keys(unknown));
        const at = placeIn(config.integrations);
        const data = await loadSite(process.env);
        const settings = readSettings({}, process.env, data.config);
        const own = configOf(settings, data, command === "dev");
        const { url: site, base } = data.config;
        const folders = publicFolders().map((publicDir) => ({ publicDir }));
        await refuseDecidedKeys(config, [own, { site, base }, ...folders], command);
        config.integrations.splice(at + 1, 0, ...(await partsOf(settings, data, bulk)));
        updateConfig(own);
      },
    },
  };
}

/** @throws {ConfigurationError} for a misspelt option, which would be ignored */
function refuseOptions([name]: readonly string[]): void {
  if (name === undefined) return;
  throw new ConfigurationError(
    `Cannot use ${JSON.stringify(name)} of commonplace() in astro.config.mjs: expected bulk`,
  );
}

/**
 * The place of the integration in the list.
 *
 * @throws {ConfigurationError} where it is named twice: the parts of one would move the other on, and Astro would never reach the end
 */
function placeIn(integrations: readonly { readonly name: string }[]): number {
  const names = integrations.map(({ name }) => name);
  if (names.indexOf(NAME) === names.lastIndexOf(NAME)) return names.indexOf(NAME);
  throw new ConfigurationError(
    "Cannot use integrations of astro.config.mjs: commonplace() is named twice; remove one of them",
  );
}

/**
 * The configuration of a build or a dev server. A project needs no file of its own for it.
 *
 * @param outDir null for a dev server
 */
export async function projectConfig(
  stateDir: string,
  outDir: string | null,
): Promise<AstroInlineConfig> {
  // Astro reads these before any integration runs.
  const cacheDir = join(stateDir, "cache/astro");
  const inline = { cacheDir, logger: loggerOf(outDir === null) };
  const file = configFile();
  if (file === null) return { ...inline, configFile: false, integrations: [commonplace()] };
  await refuseHiddenKeys(file, outDir === null ? inline : { ...inline, outDir });
  return inline;
}

const loggerOf = (isDev: boolean) => ({
  entrypoint: new URL("../site/astro-logger.mjs", import.meta.url),
  config: { info: isDev },
});

async function partsOf(
  settings: Settings,
  data: SiteData,
  bulk: readonly string[],
): Promise<AstroIntegration[]> {
  const { site, stateDir, bundleDir, voteBaseUrl, shard } = settings;
  // Numbers of pages are left out: a page that they leave as it was is not rendered again.
  const { url, base, language, theme, embeds } = site;
  const hasEmbeds = embeds > 0;
  const attribution = attributionOf(settings);
  // The cache keys of the plan cover these two: only pages that show one are rendered again.
  const { corrections: _, authors: __, ...own } = data;
  const shown = { url, base, language, theme, hasEmbeds, attribution, voteBaseUrl, ...own };
  const places = themePlaces();
  const { site: folder } = places;
  const themes = themeFolders(theme, places);
  const origin = readPointer(stateDir) ?? "";
  // What a component reads beside its props is another one in each night.
  const layers = [...themes, folder ?? []].flat();
  const read = readsBeyondProps(layers)
    ? `${origin} ${new Date(settings.now()).toISOString().slice(0, 10)}`
    : "";
  return [
    ...(data.pages.some(({ file }) => file.endsWith(".mdx"))
      ? [(await import("@astrojs/mdx")).default()]
      : []),
    siteIntegration({
      site: folder,
      themes,
      pages: data.pages,
      stateDir,
    }),
    renderPages({
      bulk,
      stateDir,
      bundleDir,
      // The icons are drawn from the mark.
      sources: [...layers, ...publicFolders().map(markIn)],
      key: JSON.stringify({ ...shown, read }),
      origin,
      prepare: PREPARE_BUILD,
      memo: new URL("../components/quote/card-memo.ts", import.meta.url),
      shard,
      sourceOf: (route) => sourceOf(folder, data.pages, route),
      // The sitemap lists the pages of `site/pages` too.
      onPaths: (paths) => setSiteData({ ...data, paths: pathsOf(folder, PROJECT_ROOT, paths) }),
    }),
  ];
}

const markIn = (folder: string): string => join(folder, "icon.svg");

function configOf(settings: Settings, data: SiteData, isDev: boolean) {
  const { site, stateDir, voteBaseUrl } = settings;
  const places = themePlaces();
  const papers = themePapers(site.theme, places);
  // The mark of a site stands in for that of Commonplace.
  const mark = publicFolders()
    .map(markIn)
    .find((file) => existsSync(file));
  if (mark === undefined) {
    throw new ConfigurationError("Cannot draw icons: public/icon.svg is missing");
  }
  return {
    site: site.url,
    base: site.base,
    // State and output alone must be writable.
    cacheDir: pathToFileURL(join(stateDir, "cache/astro/")),
    output: "static" as const,
    trailingSlash: "always" as const,
    build: {
      format: "directory" as const,
      // One sheet for the whole site, fetched once.
      inlineStylesheets: "never" as const,
      concurrency: 16,
    },
    prerenderConflictBehavior: "error" as const,
    session: false as const,
    devToolbar: { enabled: false },
    markdown: { syntaxHighlight: false as const },
    security: { csp: contentPolicy(site, voteBaseUrl) },
    logger: loggerOf(isDev),
    fonts: FONTS,
    vite: {
      cacheDir: join(stateDir, "cache/vite"),
      // The module of the plan, in the bundle, is not beside its sources.
      define: { __PLAN_VERSION__: JSON.stringify(planVersion()) },
      plugins: [
        themePlugin(site.theme, places, data.pages),
        ownPackages(PACKAGE_ROOT, PROJECT_ROOT),
        installPlugin({ mark, papers }),
      ],
      build: {
        // A script that is on every page is fetched once; Vite would write a copy of a small one into each.
        assetsInlineLimit: 0,
        // Scripts are few and small: telling the browser ahead of each costs more than it saves.
        modulePreload: false as const,
      },
    },
  };
}
