/**
 * The Astro integration that renders bulk routes in worker threads and skips unchanged pages (docs/astro.md).
 *
 * The threads render pages of bulk routes from the same bundle as Astro renders the others. Astro meets such a page only where
 * another integration asks for all pages: it receives an empty response, counts the page and does not write it.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig, AstroIntegration } from "astro";
import type { ViteBuilder } from "vite";
import { ConfigurationError } from "../contract/errors.ts";
import { routesWithoutProps } from "./astro/index.ts";
import { watchBundle } from "./bundle.ts";
import { prepared } from "./prepare.ts";
import { RENDER, startRendering, type RenderOptions } from "./rendering.ts";

export function renderPages(options: RenderOptions): AstroIntegration {
  // The shell's path of the command. Astro would inline it into modules that read the environment and change the digest.
  delete process.env["_"];
  const bundle = watchBundle(options.memo === undefined ? null : fileURLToPath(options.memo));
  /** Awaited in `setup`, after Vite has bundled. */
  let ready: Promise<void> = Promise.resolve();
  let config: AstroConfig;
  let routes: unknown;
  let rendering: ReturnType<typeof startRendering>;
  return {
    name: RENDER,
    hooks: {
      "astro:config:setup": ({ command, updateConfig }) => {
        if (command !== "build") return;
        if (options.prepare !== undefined) ready = prepared(options.prepare);
        updateConfig({
          vite: {
            plugins: [bundle.plugin],
            // Unchanged files remain; stale files are removed by name.
            build: { emptyOutDir: false },
          },
        });
      },
      "astro:routes:resolved": ({ routes: resolved }) => {
        routes = resolved;
        for (const pattern of options.bulk) {
          if (resolved.some((route) => route.pattern === pattern && route.isPrerendered)) continue;
          throw new ConfigurationError(
            `Cannot use ${JSON.stringify(pattern)} in "bulk" of astro.config.mjs: no such prerendered route`,
          );
        }
      },
      "astro:config:done": ({ config: done }) => {
        config = done;
      },
      "astro:build:start": ({ setPrerenderer }) => {
        rendering = startRendering(options, bundle, config);
        setPrerenderer((own) => ({
          ...own,
          name: RENDER,
          setup: async () => {
            bundle.check();
            await Promise.all([own.setup?.(), ready]);
          },
          getStaticPaths: async () => {
            const paths = await own.getStaticPaths();
            options.onPaths?.(paths);
            return rendering.begin(paths, routesWithoutProps(own, options.bulk));
          },
          render: (request, how) =>
            rendering.render(request, how.routeData, () => own.render(request, how)),
          teardown: async () => {
            await rendering.end();
            bundle.save();
            await own.teardown?.();
          },
        }));
      },
      "astro:build:setup": ({ target, vite, pages, updateConfig }) => {
        const buildApp = vite.builder?.buildApp;
        if (target !== "server" || buildApp === undefined) return;
        const { stateDir, sources = [], bundleDir = join(stateDir, "bundle") } = options;
        const inputs = { config, routes, sources, stateDir };
        const make = (builder: ViteBuilder) =>
          bundle.make([builder, buildApp, pages], inputs, bundleDir);
        updateConfig({ builder: { buildApp: make } });
      },
      "astro:build:done": () => rendering.finish(),
    },
  };
}
