/**
 * Renders the pages of one route without a Request and a Response for each: what Astro's public API cannot do.
 *
 * Tried on Astro 7.3.5. Everything here that Astro does not promise is named below; the first page of each bulk route is
 * compared with Astro's own rendering in every build, so that a release of Astro that changes any of it ends the build.
 * Without this file `app.render` gives the same pages, at 390 µs of processor time more each.
 *
 * - `app.manifest.routes` and `app.manifest.pageMap`: the route's data, and the module of its page
 * - a component is a function of `(result, props, slots)`, marked with `isAstroComponentFactory`
 * - `result`, Astro's `SSRResult`: containers that a page fills, `createAstro`, `params`, `pathname`
 * - `renderStreaming` and `chunkToString` of `astro/runtime/server`
 * - `globalThis.astroAsset.addStaticImage`, which Astro's runtime calls for each image
 * - `app.routeCache` of Astro's prerenderer: without it, each thread lists the pages of its routes, a second at 75,000 pages
 */
import type { createApp } from "astro/app/entrypoint";
import type { RouteData } from "astro";
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

/** A piece of a page: text, or bytes that are encoded already. */
export type Piece = string | Uint8Array;

interface Entry {
  readonly params: Readonly<Record<string, unknown>>;
  readonly props?: Props;
}

interface PageModule {
  readonly default?: unknown;
  readonly getStaticPaths?: (options: unknown) => Entry[] | Promise<Entry[]>;
}

/** A page asked for something that exists only where Astro renders it from a request. */
export class NeedsRequest extends Error {}

/** @param page that the threads cannot render as Astro does */
export function refusePage(
  { path, route }: { readonly path: string; readonly route: string },
  why: string,
  cause?: unknown,
): ConfigurationError {
  const advice = `take ${JSON.stringify(route)} out of "bulk" in astro.config.mjs`;
  return new ConfigurationError(`Cannot render ${path} in a thread: ${why}; ${advice}`, { cause });
}

/** The module by which Astro says that a project has no middleware; without it, there may be one. */
export const NO_MIDDLEWARE = "\0noop-middleware";

/** The module with the address of a server that Astro runs during a build: another port each time. */
export const FONT_SERVER = "\0virtual:astro:assets/fonts/runtime/font-file-url-resolver";

/** A picture or another file in a module of a page, by its number in the order in which the bundler read them. */
export const ASSET =
  /(?:__(?:ASTRO_ASSET_IMAGE|VITE_ASSET)__|import\.meta\.ROLLDOWN_FILE_URL_)([\w$]{22})/g;

const IMAGE = "it makes an image";

/** Astro makes the images that its own thread is asked for. In another, a page would name one that is never made. */
function refuseImages(): void {
  const addStaticImage = (): never => {
    throw new NeedsRequest(IMAGE);
  };
  Object.assign(globalThis, { astroAsset: { addStaticImage } });
}

/** Settles when no page is being rendered from a request. */
let lastResponse: Promise<unknown> = Promise.resolve();

export type BulkRoute = Awaited<ReturnType<typeof openRoute>>;

/**
 * Opens a route: has Astro render one of its pages, and keeps what it hands to the component before anything is rendered
 * into it.
 *
 * @param pattern the route as Astro writes it: `/tag/[slug]/[...page]`
 * @param path of the page
 * @param hasProps false where its list gives none: it is not asked for then
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
  /** By the values of the parameters, where `getStaticPaths` gives any. */
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

    /**
     * Renders a page.
     *
     * @throws {NeedsRequest} when it can only be rendered from a request
     */
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

    /** Renders a page as Astro does. @throws with the cause when the page fails */
    async renderByRequest(path: string): Promise<Uint8Array> {
      const response = await respond(path, module);
      return new Uint8Array(await response.arrayBuffer());
    },

    /**
     * Renders a component outside of any page, to a string.
     *
     * @returns null when it holds more than markup, such as a script that Astro writes once a page
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
   * Has Astro render a page. It looks the page up in the whole list of the route: a list of one costs less.
   *
   * One at a time: the list of pages and the log are the app's, and a thread has two batches under way.
   *
   * @param list called when Astro asks for the list
   * @throws with the cause when the page fails
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
      // Astro answers for a page that fails with status 500 and gives the cause to its log alone.
      let failure = "";
      // The destination of the configuration is set once, when it is first asked for.
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

  /** A route's parameters, read back from the path they made; a rest parameter may be empty. */
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

/** Astro's memory of `getStaticPaths()`. */
interface RouteCache {
  get(route: RouteData): { readonly staticPaths?: readonly Entry[] } | undefined;
}

/**
 * Finds the routes of which no page has props.
 *
 * @param prerenderer Astro's own, after it listed all pages
 * @param patterns the routes as Astro writes them
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

/** Astro puts the document type before a page that does not begin with one. */
function doctype(result: Result, chunk: unknown): string {
  if (result.partial || /<!doctype html/i.test(String(chunk))) return "";
  return result.compressHTML ? "<!DOCTYPE html>" : "<!DOCTYPE html>\n";
}

/** A copy that a page may render into: containers are new, what they hold is shared. */
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

/** Markup that belongs to the page it is on; only the place of the head means nothing once the head is out. */
function isInstruction(chunk: unknown): boolean {
  return INSTRUCTION in Object(chunk) && (chunk as { type?: string }).type !== "maybe-head";
}

/** What Astro made for the first page of a route and may be shown on all of them. */
const SHARED = ["generator", "routePattern", "isPrerendered", "site", "logger"];

/** What is the same for all components of a page. */
interface PageGlobals {
  readonly result: Result;
  readonly params: Result["params"];
  /** Called by the pages that ask for it. */
  readonly url: () => URL;
}

/**
 * The class of `Astro`, as the components of a route see it, without a request behind it: a property that needs one throws
 * `NeedsRequest`. An object with a prototype of its own, page by page, costs ten times as much to make.
 *
 * @param first what Astro gave a component of the route's first page
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
