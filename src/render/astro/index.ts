/**
 * Renders pages without a Request and a Response for each, which Astro's public API cannot do. `app.render` gives the same
 * pages, but takes 390 µs more processor time for each.
 *
 * Tested with Astro 7.3.5. Every build compares the first page of each bulk route with Astro's own rendering, so a release
 * that changes any of these undocumented parts ends the build:
 *
 * - `app.manifest.routes` and `app.manifest.pageMap`: data of routes, and modules of their pages
 * - a component is a function of `(result, props, slots)` with the mark `isAstroComponentFactory`
 * - `result`, Astro's `SSRResult`: containers that a page fills, `createAstro`, `params`, `pathname`
 * - `renderStreaming` and `chunkToString` of `astro/runtime/server`
 * - `globalThis.astroAsset.addStaticImage`, which Astro's runtime calls for each image
 * - `app.routeCache` of Astro's prerenderer: without it, each thread lists all pages, which takes 1 s for 75,000
 *
 * A kept bundle relies on more, which `test/render/kept-bundle.test.ts` tests: `builder.buildApp` of Astro's Vite configuration
 * reads the name of the entry from the output of each environment, the style sheets of a page are in `pages` of
 * `astro:build:setup`, and the plugin `astro:assets` has the functions for images.
 */
export {
  bundleState,
  skipBundling,
  type BuildApp,
  type BundleState,
  type PagesData,
} from "./bundle-state.ts";
export { openRoute, routesWithoutProps, type BulkRoute } from "./route.ts";
export {
  ASSET,
  FONT_SERVER,
  NeedsRequest,
  NO_MIDDLEWARE,
  refusePage,
  type Component,
  type Piece,
} from "./types.ts";
