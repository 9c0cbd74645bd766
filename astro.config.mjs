/**
 * How Astro builds the pages. What a fork changes is in `site/`, not here.
 *
 * The policy (CSP) allows our own files and nothing inline but what is named by its digest.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "astro/config";
import { loadSite, themePlaces } from "./src/themes/site-folder.ts";
import { FONTS } from "./src/layouts/fonts.ts";
import { installPlugin } from "./src/images/icons.ts";
import { HEAD_SCRIPT, SPECULATION_RULES } from "./src/layouts/inline-scripts.ts";
import { renderPages } from "./src/render/integration.ts";
import { readSettings } from "./src/settings/settings.ts";
import { setSiteData } from "./src/settings/site-data.ts";
import { attributionOf } from "./src/site/attribution.ts";
import { readPointer } from "./src/snapshot/published/pointer.ts";
import { themePapers } from "./src/themes/colours.ts";
import { themePlugin } from "./src/themes/plugin.ts";
import { themeFolders } from "./src/themes/theme.ts";
import { pathsOf, siteIntegration, sourceOf } from "./src/themes/site-integration.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const data = await loadSite(process.env);
const settings = readSettings({}, process.env, data.config);
const { site, outDir, voteBaseUrl, stateDir } = settings;
// Numbers of pages are left out: a page that they leave as it was is not rendered again.
const { url, base, language, theme, embeds } = site;
const hasEmbeds = embeds > 0;
const attribution = attributionOf(settings);
const shown = { url, base, language, theme, hasEmbeds, attribution, voteBaseUrl, ...data };

const places = themePlaces(process.env);
const { site: folder } = places;
const papers = themePapers(site.theme, places);
// The mark of a fork stands in for the project's.
const mark = [folder, root]
  .flatMap((place) => (place === null ? [] : [join(place, "public/icon.svg")]))
  .find((file) => existsSync(file));
if (mark === undefined) throw new Error("Cannot draw icons: public/icon.svg is missing");

// Votes go to the service or a relay; nothing else leaves the site.
const votes = voteBaseUrl === null ? "'self'" : `'self' ${new URL(voteBaseUrl).origin}`;

/** @param {string} text */
const digest = (text) =>
  /** @type {`sha256-${string}`} */ (
    `sha256-${createHash("sha256").update(text).digest("base64")}`
  );

export default defineConfig({
  site: site.url,
  base: site.base,
  outDir,
  // State and output alone must be writable.
  cacheDir: join(stateDir, "cache/astro"),
  output: "static",
  trailingSlash: "always",
  build: {
    format: "directory",
    // One sheet for the whole site, fetched once.
    inlineStylesheets: "never",
    concurrency: 16,
  },
  integrations: [
    ...(data.pages.some(({ file }) => file.endsWith(".mdx"))
      ? [(await import("@astrojs/mdx")).default()]
      : []),
    siteIntegration({
      site: folder,
      themes: themeFolders(theme, places),
      pages: data.pages,
      stateDir,
    }),
    renderPages({
      // Routes with thousands of pages: worker threads render them, and skip what is unchanged (docs/astro.md).
      bulk: [
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
      ],
      stateDir,
      key: JSON.stringify(shown),
      origin: readPointer(stateDir) ?? "",
      prepare: new URL("./src/site/prepare-build.ts", import.meta.url),
      memo: new URL("./src/components/quote/card-memo.ts", import.meta.url),
      shard: settings.shard,
      sourceOf: (route) => sourceOf(folder, data.pages, route),
      // The sitemap lists the pages of `site/pages` too.
      onPaths: (paths) => setSiteData({ ...data, paths: pathsOf(folder, root, paths) }),
    }),
  ],
  prerenderConflictBehavior: "error",
  fetchFile: null,
  session: false,
  devToolbar: { enabled: false },
  markdown: { syntaxHighlight: false },
  security: {
    csp: {
      directives: [
        "default-src 'none'",
        "img-src 'self'",
        "font-src 'self'",
        `connect-src ${votes}`,
        "manifest-src 'self'",
        "base-uri 'none'",
        `form-action ${votes}`,
      ],
      scriptDirective: { hashes: [digest(HEAD_SCRIPT), digest(SPECULATION_RULES)] },
    },
  },
  logger: {
    entrypoint: new URL("./src/site/astro-logger.mjs", import.meta.url),
    config: { info: process.argv.includes("dev") },
  },
  fonts: FONTS,
  vite: {
    cacheDir: join(stateDir, "cache/vite"),
    plugins: [themePlugin(site.theme, places, data.pages), installPlugin({ mark, papers })],
    build: {
      // A script that is on every page is fetched once; Vite would write a copy of a small one into each.
      assetsInlineLimit: 0,
      // Scripts are few and small: telling the browser ahead of each costs more than it saves.
      modulePreload: false,
    },
  },
});
