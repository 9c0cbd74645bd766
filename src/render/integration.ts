/**
 * The Astro integration that renders bulk routes in worker threads and skips unchanged pages (docs/astro.md).
 *
 * Astro receives an empty response for a page of a bulk route: it counts the page for `astro:build:done` and does not write
 * it. The threads render the page from the same bundle.
 */
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { AstroConfig, AstroIntegration } from "astro";
import type { ViteBuilder } from "vite";
import { ConfigurationError, errorOf, failureOf } from "../contract/errors.ts";
import { routesWithoutProps } from "./astro/index.ts";
import { watchBundle } from "./bundle.ts";
import { startRendering, type RenderOptions } from "./rendering.ts";

export function renderPages(options: RenderOptions): AstroIntegration {
  // The shell's path of the command. Astro would inline it into modules that read the environment and change the digest.
  delete process.env["_"];
  const bundle = watchBundle(options.memo === undefined ? null : fileURLToPath(options.memo));
  let prepared: Promise<void> = Promise.resolve();
  let config: AstroConfig;
  let routes: unknown;
  let rendering: ReturnType<typeof startRendering>;
  return {
    name: "commonplace:render",
    hooks: {
      "astro:config:setup": ({ command, updateConfig }) => {
        if (command !== "build") return;
        prepared = prepare(options.prepare);
        // Awaited in `setup`; a build that fails earlier reports its own error.
        prepared.catch(() => undefined);
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
          name: "commonplace:render",
          setup: async () => {
            bundle.check();
            await Promise.all([own.setup?.(), prepared]);
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

/** Runs a module in a thread. @throws the error that it throws */
async function prepare(module: URL | undefined): Promise<void> {
  if (module === undefined) return;
  const worker = new Worker(module, {
    // The default takes 50 MB more, and is no faster.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  await once(worker, "exit").catch((copy: unknown) => {
    // A copy of the error, without its class.
    throw errorOf(failureOf(copy));
  });
}
