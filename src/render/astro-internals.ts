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
import type { createApp } from "astro/app/entrypoint";
import type { HookParameters, RouteData } from "astro";
import type { Rolldown, ViteBuilder } from "vite";
import { chunkToString, renderStreaming } from "astro/runtime/server/index.js";
import { ConfigurationError } from "../contract/errors.ts";

type App = ReturnType<typeof createApp>;
type Loader = NonNullable<ReturnType<NonNullable<App["manifest"]["pageMap"]>["get"]>>;
type Result = Parameters<typeof renderStreaming>[1];
type Chunk = Parameters<typeof chunkToString>[1];
type AstroGlobal = ReturnType<Result["createAstro"]>;
type Props = Readonly<Record<string, unknown>>;

/** A compiled `.astro` file. */
export type Component = (result: Result, props: object, slots: object) => unknown;

/** A piece of a page: text, or UTF-8. */
export type Piece = string | Uint8Array;

interface Entry {
  readonly params: Readonly<Record<string, unknown>>;
  readonly props?: Props;
}

interface PageModule {
  readonly default?: unknown;
  readonly getStaticPaths?: (options: unknown) => Entry[] | Promise<Entry[]>;
}

/** A page uses something that exists only if Astro renders it from a request. */
export class NeedsRequest extends Error {}

/** Explains why the threads cannot render a page as Astro does. */
export function refusePage(
  { path, route }: { readonly path: string; readonly route: string },
  why: string,
  cause?: unknown,
): ConfigurationError {
  const advice = `take ${JSON.stringify(route)} out of "bulk" in astro.config.mjs`;
  return new ConfigurationError(`Cannot render ${path} in a thread: ${why}; ${advice}`, { cause });
}

/** Module of a bundle without middleware. */
export const NO_MIDDLEWARE = "\0noop-middleware";

/** Module with the address of Astro's font server, whose port differs in every build. */
export const FONT_SERVER = "\0virtual:astro:assets/fonts/runtime/font-file-url-resolver";

/** Reference to an asset in a module of a page: a number that depends on the order in which the bundler read them. */
export const ASSET =
  /(?:__(?:ASTRO_ASSET_IMAGE|VITE_ASSET)__|import\.meta\.ROLLDOWN_FILE_URL_)([\w$]{22})/g;

const IMAGE = "it makes an image";

/** Astro writes only the images that pages in its own thread use: in another thread the image would be missing. */
function refuseImages(): void {
  const addStaticImage = (): never => {
    throw new NeedsRequest(IMAGE);
  };
  Object.assign(globalThis, { astroAsset: { addStaticImage } });
}

/** The last page of a queue: only one page at a time is rendered from a request. */
let lastResponse: Promise<unknown> = Promise.resolve();

export type BulkRoute = Awaited<ReturnType<typeof openRoute>>;

/**
 * Opens a route: lets Astro render one of its pages, and copies the `result` that the component receives.
 *
 * @param pattern Astro's name of the route: `/tag/[slug]/[...page]`
 * @param path of any page of the route
 * @param hasProps false if `getStaticPaths()` gives no props and need not be called
 */
export async function openRoute(app: App, pattern: string, path: string, hasProps: boolean) {
  refuseImages();
  const found = app.manifest.routes.find(({ routeData }) => routeData.route === pattern);
  const load = found && app.manifest.pageMap?.get(found.routeData.component);
  if (found === undefined || load === undefined) {
    throw new Error(`Cannot render ${pattern}: the bundle has no such page`);
  }
  const route = found.routeData;
  const module = (await (await load()).page()) as PageModule;
  const component = module.default;
  const names = route.params.map((name) => name.replace("...", ""));
  /** By the values of the parameters. */
  const propsOf = new Map<string, Props>();
  let blank: Result | undefined;
  let Globals: ReturnType<typeof globalsOf> | undefined;

  let watched = module;
  if (route.type === "page" && isComponent(component)) {
    const watch: Component = (result, props, slots) => {
      blank ??= copyOf(result);
      Globals ??= globalsOf(result.createAstro({}, {}));
      return component(result, props, slots);
    };
    watched = { ...module, default: Object.assign(watch, component) };
  }
  await respond(path, watched, async (options) => {
    const entries = (hasProps && (await module.getStaticPaths?.(options))) || [];
    for (const { params, props } of entries) {
      if (props !== undefined) propsOf.set(keyOf(params), props);
    }
  });

  return {
    /** The page's source file. */
    component: route.component,

    /** @throws {NeedsRequest} when the page can only be rendered from a request */
    async render(path: string): Promise<readonly Piece[]> {
      const params = paramsOf(path);
      const result = resultFor(params, path);
      result.pathname = path;
      const template = await (component as Component)(result, propsFor(params), {});
      if (result._metadata.propagators.size > 0) {
        throw new NeedsRequest("a component adds to the head");
      }
      if (!(Symbol.for("astro.renderTemplateResult") in Object(template))) {
        throw new NeedsRequest("it answers with something else than markup");
      }
      const pieces: Piece[] = [];
      await renderStreaming(template, result, {
        write(chunk) {
          if (pieces.length === 0) pieces.push(doctype(result, chunk));
          pieces.push(
            ArrayBuffer.isView(chunk)
              ? (chunk as Uint8Array)
              : String(chunkToString(result, chunk as Chunk)),
          );
        },
      });
      return pieces;
    },

    /** Renders a page as Astro does. @throws with Astro's message when the page fails */
    async renderByRequest(path: string): Promise<Uint8Array> {
      const response = await respond(path, module);
      return new Uint8Array(await response.arrayBuffer());
    },

    /**
     * Renders a component outside of any page.
     *
     * @returns null if it has more than markup, such as a script, which Astro writes once in each page
     */
    async renderComponent(component: Component, props: object): Promise<string | null> {
      const result = resultFor({}, "/");
      result._metadata.hasRenderedHead = true;
      let text: string | null = "";
      const template = (await component(result, props, {})) as {
        render(destination: { write(chunk: Chunk): void }): Promise<void> | void;
      };
      await template.render({
        write(chunk) {
          if (isInstruction(chunk)) text = null;
          else if (text !== null) text += chunkToString(result, chunk);
        },
      });
      return text;
    },
  };

  /**
   * Lets Astro render a page. Astro searches the list of the route for it, which is replaced by a list of this page.
   *
   * One page at a time: a thread has two batches in progress, and the list and the logger belong to the app.
   *
   * @param list called when Astro lists the pages
   * @throws with Astro's message when the page fails
   */
  function respond(
    path: string,
    module: PageModule,
    list?: (options: unknown) => Promise<void>,
  ): Promise<Response> {
    const getStaticPaths = async (options: unknown): Promise<Entry[]> => {
      await list?.(options);
      const params = paramsOf(path);
      return [{ params, props: propsFor(params) }];
    };
    const response = lastResponse.then(async () => {
      const page = { ...module, getStaticPaths };
      const loader = () => Promise.resolve({ page: () => Promise.resolve(page) });
      app.manifest.pageMap?.set(route.component, loader as unknown as Loader);
      // Astro responds to a failing page with status 500, and writes the cause only to its log.
      let failure = "";
      // Astro sets the configured destination when the logger is first used.
      const logger = await app.getLogger();
      logger.setDestination({
        write: ({ level, message }) => {
          if (level === "error") failure = message;
        },
      });
      const answer = await app.render(new Request(urlOf(path)), { routeData: route });
      if (answer.status >= 500)
        throw failure.includes(IMAGE) ? new NeedsRequest(IMAGE) : new Error(failure);
      return answer;
    });
    lastResponse = response.catch(() => undefined);
    return response;
  }

  function urlOf(path: string): URL {
    const { site = "http://localhost:4321", base, trailingSlash } = app.manifest;
    const slash = route.type === "page" && trailingSlash !== "never" ? "/" : "";
    const inside = path.replace(/^\/+|\/+$/g, "");
    return new URL(`${base.replace(/\/*$/, "/")}${inside}${inside === "" ? "" : slash}`, site);
  }

  /** Reads a route's parameters from a path. An empty rest parameter is undefined. */
  function paramsOf(path: string): Record<string, string | undefined> {
    const match = route.pattern.exec(path);
    return Object.fromEntries(
      names.map((name, index) => {
        const value = match?.[index + 1];
        return [name, value === "" && name !== route.params[index] ? undefined : value];
      }),
    );
  }

  function propsFor(params: Entry["params"]): Props {
    return (propsOf.size > 0 && propsOf.get(keyOf(params))) || {};
  }

  function keyOf(params: Entry["params"]): string {
    return JSON.stringify(names.map((name) => String((params[name] as string | number) ?? "")));
  }

  function resultFor(params: Result["params"], path: string): Result {
    if (blank === undefined || Globals === undefined) {
      throw new NeedsRequest("it is no Astro component");
    }
    const Astro = Globals;
    const result = copyOf(blank);
    result.params = params;
    const page = { result, params, url: () => urlOf(path) };
    result.createAstro = (props, slots) => new Astro(page, props, slots) as AstroGlobal;
    return result;
  }
}

/** Has the results of `getStaticPaths()`. */
interface RouteCache {
  get(route: RouteData): { readonly staticPaths?: readonly Entry[] } | undefined;
}

/**
 * Finds the routes whose pages have no props.
 *
 * @param prerenderer Astro's default, after it listed all pages
 * @param patterns Astro's names of the routes to look at
 */
export function routesWithoutProps(
  prerenderer: object,
  patterns: readonly string[],
): ReadonlySet<string> {
  const { app } = prerenderer as { readonly app?: App & { readonly routeCache?: RouteCache } };
  const isBare = (route: RouteData): boolean =>
    app?.routeCache?.get(route)?.staticPaths?.every(({ props }) => props === undefined) ?? false;
  const bare = (app?.manifest.routes ?? []).filter(
    ({ routeData }) => patterns.includes(routeData.route) && isBare(routeData),
  );
  return new Set(bare.map(({ routeData }) => routeData.route));
}

export type BuildApp = (builder: ViteBuilder) => Promise<void>;
export type PagesData = HookParameters<"astro:build:setup">["pages"];
type PageData = PagesData extends Map<string, infer Data> ? Data : never;

/** What bundling leaves in the memory of Astro's build, and rendering reads. */
export interface BundleState {
  /** Name of the module with the app. */
  readonly entry: string;
  /** Style sheets of each page. */
  readonly styles: readonly (readonly [page: string, sheets: PageData["styles"]])[];
  /** Images that the site shows as they are. */
  readonly images: readonly string[];
}

/** The images that modules refer to. */
const referencedImages = (): Set<string> => (globalThis.astroAsset.referencedImages ??= new Set());

/** @param entry name of the module with the app */
export function bundleState(entry: string, pages: PagesData): BundleState {
  const styles = Array.from(pages, ([page, data]) => [page, data.styles] as const);
  return { entry, styles, images: [...referencedImages()] };
}

/** Lets Astro believe that it bundled: `buildApp` runs, and each environment is built already. */
export async function skipBundling(
  [builder, buildApp, pages]: readonly [ViteBuilder, BuildApp, PagesData],
  { entry, styles, images }: BundleState,
): Promise<void> {
  const output = [{ type: "chunk", fileName: entry, code: "", moduleIds: [] }];
  await buildApp({
    ...builder,
    build: (environment) => {
      environment.isBuilt = true;
      const isOfPages = environment.name === "prerender";
      return Promise.resolve({
        output: isOfPages ? output : [],
      } as unknown as Rolldown.RolldownOutput);
    },
  });
  for (const [page, sheets] of styles) pages.get(page)?.styles.push(...sheets);
  for (const image of images) referencedImages().add(image);
  const plugins = builder.environments["prerender"]?.config.plugins ?? [];
  const assets = plugins.find(({ name }) => name === "astro:assets");
  (assets?.buildStart as (() => void) | undefined)?.call(undefined as never);
}

/** Astro adds the document type to a page that does not begin with one. */
function doctype(result: Result, chunk: unknown): string {
  if (result.partial || /<!doctype html/i.test(String(chunk))) return "";
  return result.compressHTML ? "<!DOCTYPE html>" : "<!DOCTYPE html>\n";
}

/** A copy for another page: its containers are new, their items are shared. */
function copyOf(result: Result): Result {
  return {
    ...result,
    styles: new Set(result.styles),
    scripts: new Set(result.scripts),
    links: new Set(result.links),
    _metadata: copyContainers(result._metadata),
  };
}

function copyContainers<T extends object>(record: T): T {
  const copy = { ...record } as Record<string, unknown>;
  for (const key in copy) {
    const value = copy[key];
    if (value instanceof Set) copy[key] = new Set(value);
    else if (Array.isArray(value)) copy[key] = [...(value as unknown[])];
  }
  return copy as T;
}

function isComponent(value: unknown): value is Component {
  return typeof value === "function" && "isAstroComponentFactory" in value;
}

const INSTRUCTION = Symbol.for("astro:render");

/** Whether a chunk is an instruction to the page; the mark for the head has no effect after the head. */
function isInstruction(chunk: unknown): boolean {
  return INSTRUCTION in Object(chunk) && (chunk as { type?: string }).type !== "maybe-head";
}

/** Properties of `Astro` with the same value on all pages of a route. */
const SHARED = ["generator", "routePattern", "isPrerendered", "site", "logger"];

/** Values that all components of a page share. */
interface PageGlobals {
  readonly result: Result;
  readonly params: Result["params"];
  /** Called only if the page uses it. */
  readonly url: () => URL;
}

/**
 * Makes the class of the global `Astro` in the components of a route. A property that needs a request throws `NeedsRequest`.
 *
 * An object with its own prototype for each page would take ten times as long.
 *
 * @param first `Astro` of the route's first page
 */
function globalsOf(
  first: AstroGlobal,
): new (page: PageGlobals, props: object, slotted: object | null) => object {
  const Slots = (first.slots as object).constructor as new (
    result: Result,
    slots: object | null,
    logger: unknown,
  ) => object;
  class Globals {
    readonly #page: PageGlobals;
    readonly #slotted: object | null;
    #slots: object | undefined;
    readonly props: object;
    self: unknown = null;

    constructor(page: PageGlobals, props: object, slotted: object | null) {
      this.#page = page;
      this.props = props;
      this.#slotted = slotted;
    }

    get params(): Result["params"] {
      return this.#page.params;
    }

    get url(): URL {
      return this.#page.url();
    }

    get slots(): object {
      return (this.#slots ??= new Slots(this.#page.result, this.#slotted, first.logger));
    }
  }
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(first))) {
    if (name in Globals.prototype) continue;
    const ofAllPages = SHARED.includes(name)
      ? { value: first[name as keyof AstroGlobal] }
      : {
          get: () => {
            throw new NeedsRequest(`it uses Astro.${name}`);
          },
        };
    Object.defineProperty(Globals.prototype, name, ofAllPages);
  }
  return Globals;
}
