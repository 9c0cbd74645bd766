/** One build: which pages there are, which of them the threads render, what Astro writes itself, and what came of it. */
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";
import type { AstroConfig, AstroPrerenderer, RouteData } from "astro";
import type { Part } from "../contract/work.ts";
import { BulkPages } from "./bulk-pages.ts";
import type { Bundle } from "./bundle.ts";
import { Output } from "./output.ts";
import { markShare, shardOf, type Share } from "./shards.ts";
import type { BulkPage } from "./worker.ts";
import { WrittenFiles, type ChangeCounts } from "./written-files.ts";

/** Options of `renderPages()` in `astro.config.mjs`. */
export interface RenderOptions {
  /** Routes whose pages the threads render, as Astro writes them: `/tag/[slug]/[...page]`. */
  readonly bulk: readonly string[];
  /** Folder of what is remembered from build to build. */
  readonly stateDir: string;
  /** All that pages read besides the bundle and what their `cacheKey` names: settings. */
  readonly key?: string | undefined;
  /** Names the data that pages read, such as a snapshot: shares of two are not merged. No page is rendered again for it. */
  readonly origin?: string | undefined;
  /** Module that makes what the pages read; it is run in a thread while Vite bundles. */
  readonly prepare?: URL | undefined;
  /** Module of components that are rendered once (`MemoModule`). */
  readonly memo?: URL | undefined;
  /** Renders this share of the pages alone. */
  readonly shard?: Part | null | undefined;
  readonly threads?: number | undefined;
  /** Hears of every path of the site, before any is rendered. */
  readonly onPaths?:
    ((paths: readonly { pathname: string; route: RouteData }[]) => void) | undefined;
}

export interface RenderReport {
  /** Pages of the site, or of the shard; files of endpoints, too. */
  readonly pages: number;
  /** Pages that were rendered; the others were current. */
  readonly rendered: number;
  /** Files whose bytes differed. */
  readonly written: number;
  readonly changes: ChangeCounts;
}

/** Published on the channel `commonplace:render` while a build runs, and when it is done. */
export type RenderMessage =
  { readonly rendered: number; readonly of: number } | { readonly report: RenderReport };

export const RENDER_CHANNEL = "commonplace:render";

type Path = Awaited<ReturnType<AstroPrerenderer["getStaticPaths"]>>[number];
type Rendered = Awaited<ReturnType<AstroPrerenderer["render"]>>;

/** Pages that Astro renders between two reports of progress. */
const REPORT_EVERY = 64;

export class Rendering {
  readonly #options: RenderOptions;
  readonly #bundle: Bundle;
  readonly #config: AstroConfig;
  readonly #outDir: string;
  readonly #files: WrittenFiles;
  readonly #output: Output;
  readonly #bulkFiles = new Set<string>();
  readonly #messages = channel(RENDER_CHANNEL);
  #bulk: BulkPages | undefined;
  #share: Share | null = null;
  #pages = 0;
  #rendered = 0;
  #toRender = 0;

  constructor(options: RenderOptions, bundle: Bundle, config: AstroConfig) {
    this.#options = options;
    this.#bundle = bundle;
    this.#config = config;
    this.#outDir = fileURLToPath(config.outDir).replace(/[\\/]$/, "");
    this.#files = new WrittenFiles(options.stateDir, this.#outDir);
    this.#output = new Output(this.#outDir, config, this.#files);
  }

  /**
   * Starts the threads on the pages of bulk routes that are not current.
   *
   * @param bare the bulk routes that give their pages no props
   * @returns the pages that Astro goes through: all of the share, and first those that are rendered both ways
   */
  begin(all: readonly Path[], bare: ReadonlySet<string>): Path[] {
    const { bulk, shard = null, origin = "", stateDir, threads, key: settings } = this.#options;
    const config = this.#config;
    const digest = bundleKey(this.#bundle, config, settings);
    const site = shard && createHash("sha256").update(`${digest} ${origin}`);
    const paths: Path[] = [];
    const stale: BulkPage[] = [];
    const byRoute = this.#bundle.hasMiddleware || config.i18n !== undefined;
    for (const page of all) {
      const { pathname: path, route, cacheKey } = page;
      const file = fileOf(path, route, config.build.format);
      const key = cacheKey === undefined ? "" : `${digest} ${cacheKey}`;
      site?.update(`\0${file}\0${key}`);
      if (shard !== null && shardOf(file, shard.count) !== shard.index) continue;
      paths.push(page);
      this.#output.claim(file, route.component);
      if (!isBulk(route, bulk)) continue;
      this.#bulkFiles.add(file);
      if (key !== "" && this.#files.isCurrent(file, key)) continue;
      const byRequest = byRoute || route.type !== "page";
      const mtime = this.#files.dateOf(file, key);
      const hasProps = !bare.has(route.route);
      stale.push({ route: route.route, path, file, key, byRequest, hasProps, mtime });
    }
    this.#pages = paths.length;
    this.#toRender = paths.length - this.#bulkFiles.size + stale.length;
    this.#share = shard &&
      site && { shard: shard.index, of: shard.count, site: site.digest("hex") };
    markShare(this.#outDir, null);
    this.#output.removeStale();
    const pages = new BulkPages(stale, {
      ...{ worker: this.#bundle.worker, digest, stateDir, threads },
      ...{ outDir: this.#outDir, files: this.#files },
      onRendered: (count) => this.#report(count),
    });
    this.#bulk = pages;
    const samples = new Set(pages.samples.values().map(({ page }) => page.path));
    const isSample = ({ pathname }: Path): boolean => samples.has(pathname);
    return [...paths.filter(isSample), ...paths.filter((path) => !isSample(path))];
  }

  /** @param render renders the page as Astro does */
  async render(
    request: Request,
    route: RouteData,
    render: () => Promise<Rendered>,
  ): Promise<Rendered> {
    const { base, build, outDir } = this.#config;
    const isBulkPage = isBulk(route, this.#options.bulk);
    if (isBulkPage && this.#bulk?.samples.size === 0) return new Response(null);
    const path = pathOf(request, base);
    const file = fileOf(path, route, build.format);
    const sample = this.#bulk?.samples.get(file);
    if (isBulkPage && sample === undefined) return new Response(null);
    const rendered = await render().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Cannot render ${path} (${route.component}): ${why}`, { cause: error });
    });
    const response = rendered instanceof Response ? rendered : rendered.response;
    if (sample !== undefined) {
      await this.#bulk?.verify(sample, new Uint8Array(await response.arrayBuffer()));
      return new Response(null);
    }
    this.#report(1, REPORT_EVERY);
    // A redirect becomes a page in Astro; what comes with metadata is for Astro's own cache.
    const isRedirect = response.status >= 300 && response.status < 400;
    const isCached = !(rendered instanceof Response) && rendered.metadata !== undefined;
    if (isRedirect || isCached) this.#output.checkFolder(file);
    if (response.body === null || isRedirect || isCached) return rendered;
    this.#output.write(file, new Uint8Array(await response.arrayBuffer()));
    (route.distURL ??= []).push(new URL(encodeURI(file), outDir));
    const { status, headers } = response;
    return new Response(null, { status, headers });
  }

  /** Resolves when the threads are done. */
  async end(): Promise<void> {
    await this.#bulk?.done();
    this.#bundle.check();
  }

  /** Records what Astro wrote and reports what changed: the build is complete. */
  finish(): void {
    const written = this.#output.settle((file) => this.#bulkFiles.has(file));
    using files = this.#files;
    const report: RenderReport = {
      pages: this.#pages,
      rendered: this.#toRender,
      written: written + (this.#bulk?.written ?? 0),
      changes: files.complete(),
    };
    if (this.#share !== null) markShare(this.#outDir, this.#share);
    this.#messages.publish({ report } satisfies RenderMessage);
  }

  /** @param every how many pages there are between two messages */
  #report(pages: number, every = 1): void {
    this.#rendered += pages;
    if (this.#rendered % every !== 0) return;
    const message: RenderMessage = { rendered: this.#rendered, of: this.#toRender };
    this.#messages.publish(message);
  }
}

function isBulk(route: RouteData, bulk: readonly string[]): boolean {
  return bulk.includes(route.route) && (route.type === "page" || route.type === "endpoint");
}

/**
 * What every page of a bundle is made from besides its own key: packages outside of the bundle and the runtime's data, too,
 * and what Astro takes from the configuration at the end, into a manifest that is no module.
 */
function bundleKey(bundle: Bundle, { root, security, i18n }: AstroConfig, key = ""): string {
  const { node, icu, unicode, tz } = process.versions;
  const versions = [node, icu, unicode, tz];
  const lockfile = new URL("package-lock.json", root);
  return createHash("sha256")
    .update(JSON.stringify([bundle.digest(fileURLToPath(root)), key, security, i18n, versions]))
    .update(existsSync(lockfile) ? readFileSync(lockfile) : "")
    .digest("hex")
    .slice(0, 16);
}

/** The path of a page as Astro lists it, but for the slash at its end. */
function pathOf(request: Request, base: string): string {
  const path = decodeURI(new URL(request.url).pathname);
  return `/${path.slice(base.replace(/\/$/, "").length).replace(/^\/+/, "")}`;
}

/** `/tag/hope/` is `tag/hope/index.html`; an endpoint names its file; `/404` is `404.html`. */
function fileOf(path: string, { type }: RouteData, format: AstroConfig["build"]["format"]): string {
  const inside = path.replace(/^\/+|\/+$/g, "");
  if (type === "endpoint") return inside;
  if (inside === "") return "index.html";
  if (inside === "404" || inside === "500") return `${inside}.html`;
  return format === "directory" ? `${inside}/index.html` : `${inside.replace(/\.html$/, "")}.html`;
}
