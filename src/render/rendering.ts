/** One build: decides which pages the threads render and which Astro does, and reports what changed. */
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { AstroConfig, AstroPrerenderer, RouteData } from "astro";
import { isChanging } from "../files/folders.ts";
import { lockFilesOf } from "../files/lock-files.ts";
import type { Part } from "../util/work.ts";
import { BulkPages } from "./bulk-pages.ts";
import type { Bundle } from "./bundle.ts";
import { Output } from "./output.ts";
import { namedDigests } from "./page-policy.ts";
import { markShare, shardOf, type Share } from "./shards.ts";
import type { BulkPage } from "./worker.ts";
import { WrittenFiles } from "./written-files.ts";
import { RENDER_CHANNEL, type RenderMessage, type RenderReport } from "./render-channel.ts";

/** Options of `renderPages()` in `astro.config.mjs`. */
export interface RenderOptions {
  /** Routes that the threads render, by Astro's names: `/tag/[slug]/[...page]`. */
  readonly bulk: readonly string[];
  /** Folder of files that the next build reads. */
  readonly stateDir: string;
  /** Cache key of everything else that pages read, such as settings: besides the bundle and the pages' own `cacheKey`. */
  readonly key?: string | undefined;
  /** Name of the data, such as a snapshot: shards with different data are not merged. Pages do not depend on it. */
  readonly origin?: string | undefined;
  /** Folder of kept bundles; null to bundle in every build. Default in `stateDir`. */
  readonly bundleDir?: string | null | undefined;
  /** Files and folders outside of the project that the bundle is made from, such as a theme's. */
  readonly sources?: readonly string[] | undefined;
  /** Module that prepares the data of the pages; it runs in a thread while Vite bundles. */
  readonly prepare?: URL | undefined;
  /** A `MemoModule`. */
  readonly memo?: URL | undefined;
  /** Renders only this share of the pages. */
  readonly shard?: Part | null | undefined;
  /** Names the source of a page in messages; default its component. */
  readonly sourceOf?: ((route: RouteData) => string) | undefined;
  /** Called with all paths of the site, before any is rendered. */
  readonly onPaths?:
    ((paths: readonly { pathname: string; route: RouteData }[]) => void) | undefined;
}

type Path = Awaited<ReturnType<AstroPrerenderer["getStaticPaths"]>>[number];
type Rendered = Awaited<ReturnType<AstroPrerenderer["render"]>>;

/** The name of the integration. */
export const RENDER = "commonplace:render";

/** Pages that Astro renders between two messages of progress. */
const REPORT_EVERY = 64;

export function startRendering(options: RenderOptions, bundle: Bundle, config: AstroConfig) {
  const { bulk, shard = null, origin = "", stateDir } = options;
  const { base, build, i18n } = config;
  const outDir = fileURLToPath(config.outDir).replace(/[\\/]$/, "");
  const files = new WrittenFiles(stateDir, outDir);
  const output = new Output(outDir, config, files);
  const messages = channel(RENDER_CHANNEL);
  let share: Share | null = null;
  let bulkPages: BulkPages | undefined;
  const total = { pages: 0, toRender: 0, rendered: 0 };

  /** @param every number of pages between two messages */
  const reportProgress = (pages: number, every = 1): void => {
    total.rendered += pages;
    if (total.rendered % every !== 0) return;
    const message: RenderMessage = { rendered: total.rendered, of: total.toRender };
    messages.publish(message);
  };

  return {
    /**
     * Starts the threads on the pages of bulk routes that are not current.
     *
     * @param bare bulk routes whose pages have no props
     * @returns the pages for Astro: first those that the threads render too, then those that only Astro renders, or all of the
     *   share where another integration asks for them
     */
    begin(all: readonly Path[], bare: ReadonlySet<string>): Path[] {
      const digest = bundleKey(bundle, config, options.key);
      const site = createHash("sha256").update(`${digest} ${origin}`);
      const paths: Path[] = [];
      const stale: BulkPage[] = [];
      let current = 0;
      const byRoute = bundle.hasMiddleware || i18n !== undefined;
      for (const page of all) {
        const { pathname: path, route, cacheKey } = page;
        const file = fileOf(path, route, build.format);
        const key = cacheKey === undefined ? "" : `${digest} ${cacheKey}`;
        if (shard !== null) {
          site.update(`\0${file}\0${key}`);
          if (shardOf(file, shard.count) !== shard.index) continue;
        }
        paths.push(page);
        output.claim(file, options.sourceOf?.(route) ?? route.component);
        if (!isBulk(route, bulk)) continue;
        if (key !== "" && files.isCurrent(file, key)) {
          current++;
          continue;
        }
        const byRequest = byRoute || route.type !== "page";
        const mtime = files.dateOf(file, key);
        const hasProps = !bare.has(route.route);
        stale.push({ route: route.route, path, file, key, byRequest, hasProps, mtime });
      }
      total.pages = paths.length;
      total.toRender = paths.length - current;
      share = shard && { shard: shard.index, of: shard.count, site: site.digest("hex") };
      markShare(outDir, null);
      output.removeStale();
      const pages = new BulkPages(stale, {
        ...{ worker: bundle.worker, digest, stateDir, outDir, files },
        digests: namedDigests(config),
        onRendered: reportProgress,
      });
      bulkPages = pages;
      const samples = new Set(pages.samples.values().map(({ page }) => page.path));
      const isSample = ({ pathname }: Path): boolean => samples.has(pathname);
      const listsAll = listsPages(config);
      const isForAstro = (path: Path): boolean =>
        !isSample(path) && (listsAll || !isBulk(path.route, bulk));
      return [...paths.filter(isSample), ...paths.filter(isForAstro)];
    },

    /** @param render Astro's own rendering of the page */
    async render(
      request: Request,
      route: RouteData,
      render: () => Promise<Rendered>,
    ): Promise<Rendered> {
      const isBulkPage = isBulk(route, bulk);
      if (isBulkPage && bulkPages?.samples.size === 0) return new Response(null);
      const path = pathOf(request, base);
      const file = fileOf(path, route, build.format);
      const sample = bulkPages?.samples.get(file);
      if (isBulkPage && sample === undefined) return new Response(null);
      const fail = (error: unknown): never => {
        const why = error instanceof Error ? error.message : String(error);
        const message = `Cannot render ${path} (${route.component}): ${why}`;
        const failure = new Error(message, { cause: error });
        bulkPages?.giveUp(failure);
        throw failure;
      };
      const rendered = await render().catch(fail);
      const response = rendered instanceof Response ? rendered : rendered.response;
      if (sample !== undefined) {
        const bytes = await response.arrayBuffer().catch(fail);
        await bulkPages?.verify(sample, new Uint8Array(bytes));
        return new Response(null);
      }
      reportProgress(1, REPORT_EVERY);
      // Astro makes a page of a redirect, and caches responses with metadata.
      const isRedirect = response.status >= 300 && response.status < 400;
      const isCached = !(rendered instanceof Response) && rendered.metadata !== undefined;
      if (response.body === null || isRedirect || isCached) {
        const isKept = route.type === "redirect" ? build.redirects : isRedirect || isCached;
        // Astro writes no file for a page without a body.
        if (isKept) output.leaveToAstro(file);
        else output.leaveOut(file);
        return rendered;
      }
      output.write(file, new Uint8Array(await response.arrayBuffer()));
      (route.distURL ??= []).push(new URL(encodeURI(file), config.outDir));
      const { status, headers } = response;
      return new Response(null, { status, headers });
    },

    async end(): Promise<void> {
      await bulkPages?.done();
      bundle.check();
    },

    /** Completes the build: records what Astro wrote, and reports what changed. */
    finish(): void {
      using records = files;
      const written = output.settle() + (bulkPages?.written ?? 0);
      const report: RenderReport = {
        pages: total.pages,
        bundle: bundle.isKept ? "kept" : "made",
        rendered: total.toRender,
        written,
        // A command that put the report away has more stages, and says itself when the site is whole.
        changes: isChanging(outDir) ? records.writeChanges() : records.complete(),
      };
      if (share !== null) markShare(outDir, share);
      messages.publish({ report } satisfies RenderMessage);
    },
  };
}

function isBulk(route: RouteData, bulk: readonly string[]): boolean {
  return bulk.includes(route.route) && (route.type === "page" || route.type === "endpoint");
}

/** Whether an integration may ask for the addresses of all pages, which Astro counts in its own loop: 0.04 ms a page. */
function listsPages({ integrations }: AstroConfig): boolean {
  return integrations.some(
    ({ name, hooks }) => name !== RENDER && hooks["astro:build:done"] !== undefined,
  );
}

/**
 * Digests what all pages depend on: the bundle, packages outside of it, the runtime's data, and the configuration that
 * Astro adds to its manifest after bundling.
 */
function bundleKey(bundle: Bundle, { root, security, i18n }: AstroConfig, key = ""): string {
  const { node, icu, unicode, tz } = process.versions;
  const versions = [node, icu, unicode, tz];
  const folder = fileURLToPath(root);
  const packages = lockFilesOf(folder).map((file) => readFileSync(file, "utf8"));
  return createHash("sha256")
    .update(JSON.stringify([bundle.digest(folder), key, security, i18n, versions, packages]))
    .digest("hex")
    .slice(0, 16);
}

/** The path of a page as in Astro's list, except for the trailing slash. */
function pathOf(request: Request, base: string): string {
  const path = decodeURI(new URL(request.url).pathname);
  return `/${path.slice(base.replace(/\/$/, "").length).replace(/^\/+/, "")}`;
}

/** The file of a page: `/tag/hope/` is `tag/hope/index.html`, `/404` is `404.html`; the path of an endpoint is its file. */
function fileOf(path: string, { type }: RouteData, format: AstroConfig["build"]["format"]): string {
  const inside = path.replace(/^\/+|\/+$/g, "");
  if (type === "endpoint") return inside;
  if (inside === "") return "index.html";
  if (inside === "404" || inside === "500") return `${inside}.html`;
  return format === "directory" ? `${inside}/index.html` : `${inside.replace(/\.html$/, "")}.html`;
}
