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
 * - `app` of Astro's prerenderer: without it, each thread lists the pages of its routes, a second at 75,000 pages
 */
import type { createApp } from "astro/app/entrypoint";
import { chunkToString, renderStreaming } from "astro/runtime/server/index.js";

export type App = ReturnType<typeof createApp>;
export type RouteData = App["manifest"]["routes"][number]["routeData"];
type Loader = NonNullable<ReturnType<NonNullable<App["manifest"]["pageMap"]>["get"]>>;
type Result = Parameters<typeof renderStreaming>[1];
type Chunk = Parameters<typeof chunkToString>[1];
type AstroGlobal = ReturnType<Result["createAstro"]>;
export type Props = Readonly<Record<string, unknown>>;

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

/** The module by which Astro says that a project has no middleware; without it, there may be one. */
export const NO_MIDDLEWARE = "\0noop-middleware";

/** The module with the address of a server that Astro runs during a build: another port each time. */
export const FONT_SERVER = "\0virtual:astro:assets/fonts/runtime/font-file-url-resolver";

/** Settles when no page is being rendered from a request. */
let lastResponse: Promise<unknown> = Promise.resolve();

export class BulkRoute {
  readonly #app: App;
  readonly #route: RouteData;
  readonly #module: PageModule;
  readonly #url: (path: string) => URL;
  /** Props by the values of the parameters, where `getStaticPaths` gives any. */
  #props: ReadonlyMap<string, Props> | null = null;
  #blank: Result | undefined;
  #globals: AstroGlobals | undefined;

  private constructor(app: App, route: RouteData, module: PageModule) {
    this.#app = app;
    this.#route = route;
    this.#module = module;
    const { site = "http://localhost:4321", base, trailingSlash } = app.manifest;
    const slash = route.type === "page" && trailingSlash !== "never" ? "/" : "";
    this.#url = (path) => {
      const inside = path.replace(/^\/+|\/+$/g, "");
      return new URL(`${base.replace(/\/*$/, "/")}${inside}${inside === "" ? "" : slash}`, site);
    };
  }

  /**
   * @param pattern the route as Astro writes it: `/tag/[slug]/[...page]`
   * @param path of one of its pages, which Astro renders to show what it hands a page
   * @param hasProps false where its list gives none: it is not asked for then
   */
  static async open(
    app: App,
    pattern: string,
    path: string,
    hasProps: boolean,
  ): Promise<BulkRoute> {
    const route = app.manifest.routes.find(({ routeData }) => routeData.route === pattern);
    const loader = route && app.manifest.pageMap?.get(route.routeData.component);
    if (loader === undefined || route === undefined) {
      throw new Error(`Cannot render ${pattern}: the bundle has no such page`);
    }
    const module = (await (await loader()).page()) as PageModule;
    const bulk = new BulkRoute(app, route.routeData, module);
    await bulk.#watch(path, hasProps);
    return bulk;
  }

  /**
   * Renders a page.
   *
   * @throws {NeedsRequest} when it can only be rendered from a request
   */
  async render(path: string): Promise<readonly Piece[]> {
    const result = this.#resultFor(this.#paramsOf(path), path);
    result.pathname = path;
    const component = this.#module.default as Component;
    const template = await component(result, this.#propsOf(path), {});
    if (result._metadata.propagators.size > 0) {
      throw new NeedsRequest("a component adds to the head");
    }
    if (!isTemplate(template)) throw new NeedsRequest("it answers with something else than markup");
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
  }

  /** Renders a page as Astro does. @throws with the cause when the page fails */
  async renderByRequest(path: string): Promise<Uint8Array> {
    const entry = { params: this.#paramsOf(path), props: this.#propsOf(path) };
    const response = await this.#respond(path, this.#module, () => [entry]);
    return new Uint8Array(await response.arrayBuffer());
  }

  /**
   * Renders a component outside of any page, to a string.
   *
   * @returns null when it holds more than markup, such as a script that Astro writes once a page
   */
  async renderComponent(component: Component, props: object): Promise<string | null> {
    const result = this.#resultFor({}, "/");
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
  }

  /** The page's source file. */
  get component(): string {
    return this.#route.component;
  }

  /** Has Astro render a page, and keeps what it hands to the component before anything is rendered into it. */
  async #watch(path: string, hasProps: boolean): Promise<void> {
    const component = this.#module.default;
    let module = this.#module;
    if (this.#route.type === "page" && isComponent(component)) {
      const watched: Component = (result, props, slots) => {
        this.#blank ??= copyOf(result);
        this.#globals ??= new AstroGlobals(result.createAstro({}, {}));
        return component(result, props, slots);
      };
      module = { ...module, default: Object.assign(watched, component) };
    }
    await this.#respond(path, module, async (options) => {
      const entries = (hasProps && (await this.#module.getStaticPaths?.(options))) || [];
      if (entries.some(({ props }) => props !== undefined)) {
        const pairs = entries.map(
          ({ params, props = {} }) => [this.#keyOf(params), props] as const,
        );
        this.#props = new Map(pairs);
      }
      return [{ params: this.#paramsOf(path), props: this.#propsOf(path) }];
    });
  }

  #propsOf(path: string): Props {
    return this.#props?.get(this.#keyOf(this.#paramsOf(path))) ?? {};
  }

  /**
   * Has Astro render a page. It looks the page up in the whole list of the route: a list of one costs less.
   *
   * One at a time: the list of pages and the log are the app's, and a thread has two batches under way.
   */
  #respond(
    path: string,
    module: PageModule,
    getStaticPaths: NonNullable<PageModule["getStaticPaths"]>,
  ): Promise<Response> {
    const response = lastResponse.then(async () => {
      const page = { ...module, getStaticPaths };
      const loader = () => Promise.resolve({ page: () => Promise.resolve(page) });
      this.#app.manifest.pageMap?.set(this.#route.component, loader as unknown as Loader);
      // Astro answers for a page that fails with status 500 and gives the cause to its log alone.
      let failure = "";
      // The destination of the configuration is set once, when it is first asked for.
      const logger = await this.#app.getLogger();
      logger.setDestination({
        write: ({ level, message }) => {
          if (level === "error") failure = message;
        },
      });
      const request = new Request(this.#url(path));
      const answer = await this.#app.render(request, { routeData: this.#route });
      if (answer.status >= 500) throw new Error(failure);
      return answer;
    });
    lastResponse = response.catch(() => undefined);
    return response;
  }

  /** A route's parameters, read back from the path they made. */
  #paramsOf(path: string): Record<string, string | undefined> {
    const match = this.#route.pattern.exec(path);
    return Object.fromEntries(
      this.#route.params.map((name, index) => {
        const value = match?.[index + 1];
        return name.startsWith("...")
          ? [name.slice(3), value === "" ? undefined : value]
          : [name, value];
      }),
    );
  }

  #keyOf(params: Entry["params"]): string {
    const names = this.#route.params.map((name) => name.replace("...", ""));
    return JSON.stringify(names.map((name) => String((params[name] as string | number) ?? "")));
  }

  #resultFor(params: Result["params"], path: string): Result {
    if (this.#blank === undefined || this.#globals === undefined) {
      throw new NeedsRequest("it is no Astro component");
    }
    const result = copyOf(this.#blank);
    result.params = params;
    result.createAstro = this.#globals.forPage({ result, params, url: () => this.#url(path) });
    return result;
  }
}

/**
 * Watches Astro list the pages of routes.
 *
 * @param prerenderer Astro's own, once it is set up
 * @param patterns the routes as Astro writes them
 * @returns the routes that gave no page any props, once all are listed
 */
export function watchProps(prerenderer: object, patterns: readonly string[]): ReadonlySet<string> {
  const { app } = prerenderer as { readonly app?: App };
  const bare = new Set<string>();
  const { routes = [], pageMap } = app?.manifest ?? {};
  for (const { routeData } of routes) {
    const { route, component } = routeData;
    const load = pageMap?.get(component);
    if (load === undefined || !patterns.includes(route)) continue;
    let watched: Promise<{ page: () => Promise<PageModule> }> | undefined;
    const watch = async () => {
      const loaded = await load();
      const module = (await loaded.page()) as PageModule;
      const getStaticPaths: PageModule["getStaticPaths"] = async (options) => {
        const entries = (await module.getStaticPaths?.(options)) ?? [];
        if (entries.every(({ props }) => props === undefined)) bare.add(route);
        return entries;
      };
      const page = module.getStaticPaths === undefined ? module : { ...module, getStaticPaths };
      return { ...loaded, page: () => Promise.resolve(page) };
    };
    // Always the same module: Astro keeps the list by it.
    pageMap?.set(component, (() => (watched ??= watch())) as unknown as Loader);
  }
  return bare;
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

const TEMPLATE = Symbol.for("astro.renderTemplateResult");
const INSTRUCTION = Symbol.for("astro:render");

function isTemplate(value: unknown): boolean {
  return typeof value === "object" && value !== null && TEMPLATE in value;
}

/** Markup that belongs to the page it is on; only the place of the head means nothing once the head is out. */
function isInstruction(chunk: unknown): boolean {
  if (typeof chunk !== "object" || chunk === null || !(INSTRUCTION in chunk)) return false;
  return (chunk as { type?: string }).type !== "maybe-head";
}

/** What Astro made for the first page of a route and may be shown on all of them. */
const SHARED = ["generator", "routePattern", "isPrerendered", "site", "logger"];

interface SlotsOf {
  new (result: Result, slots: object | null, logger: unknown): object;
}

/** What is the same for all components of a page. */
interface PageGlobals {
  readonly result: Result;
  readonly params: Result["params"];
  /** Called by the pages that ask for it. */
  readonly url: () => URL;
}

/** `Astro`, as components see it, without a request behind it: a property that needs one throws `NeedsRequest`. */
class AstroGlobals {
  readonly #Globals: new (page: PageGlobals, props: object, slots: object | null) => object;

  /** @param first what Astro gave a component of the route's first page */
  constructor(first: AstroGlobal) {
    const Slots = (first.slots as object).constructor as SlotsOf;
    const { logger } = first;
    // One class for the route: an object with a prototype of its own, page by page, costs ten times as much to make.
    this.#Globals = class {
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
        return (this.#slots ??= new Slots(this.#page.result, this.#slotted, logger));
      }
    };
    const made = Object.getPrototypeOf(first) as object;
    for (const name of Object.keys(Object.getOwnPropertyDescriptors(made))) {
      if (name in this.#Globals.prototype) continue;
      Object.defineProperty(this.#Globals.prototype, name, ofAllPages(name, first));
    }
  }

  /** The function components call for their `Astro`. */
  forPage(page: PageGlobals): Result["createAstro"] {
    const Globals = this.#Globals;
    return (props, slots) => new Globals(page, props, slots) as AstroGlobal;
  }
}

function ofAllPages(name: string, first: AstroGlobal): PropertyDescriptor {
  if (SHARED.includes(name)) return { value: first[name as keyof AstroGlobal] };
  return {
    get: () => {
      throw new NeedsRequest(`it uses Astro.${name}`);
    },
  };
}
