/**
 * Renders one page as Astro's own build does: a Request in, a Response out. The measure of what is right, and the way for
 * endpoints and for pages that use what the quick way does not offer.
 *
 * Astro looks a page's props up in the whole list of the route's paths; it is handed a list of the one page instead.
 */
import type { createApp } from "astro/app/entrypoint";
import type { PageOrder, Props } from "./types.ts";

export type App = ReturnType<typeof createApp>;
export type RouteData = App["manifest"]["routes"][number]["routeData"];

/** A page's module as it stands in the bundle. */
export interface PageModule {
  readonly default?: unknown;
  readonly getStaticPaths?: (options: unknown) => Promise<{ readonly props?: Props }[]>;
}

export class AstroWay {
  readonly app: App;
  #failure = "";

  constructor(app: App) {
    this.app = app;
    // Astro turns a failing page into an answer with status 500 and tells the cause to its log alone.
    app.logger.setDestination({
      write: (event) => {
        if (event.level === "error") this.#failure = event.message;
      },
    });
  }

  route(index: number): RouteData {
    const route = this.app.manifest.routes[index]?.routeData;
    if (route === undefined)
      throw new Error(`Cannot render route ${index}: the bundle has no such`);
    return route;
  }

  /** The page's module, as the bundle has it. */
  async load(route: RouteData): Promise<PageModule> {
    const loader = this.#loaders.get(route.component) ?? this.#remember(route.component);
    return (await (await loader()).page()) as PageModule;
  }

  readonly #loaders = new Map<string, Loader>();

  #remember(component: string): Loader {
    const loader = this.app.manifest.pageMap?.get(component);
    if (loader === undefined) throw new Error(`Cannot render ${component}: not in the bundle`);
    this.#loaders.set(component, loader);
    return loader;
  }

  /**
   * @param module stands in for the page's own module, to look at what Astro hands it
   * @throws with the cause when the page fails
   */
  async render(order: PageOrder, module?: PageModule): Promise<Uint8Array> {
    const route = this.route(order.route);
    const page = module ?? (await this.load(route));
    const entry = { params: paramsOf(route, order.path), props: order.props ?? {} };
    const single =
      page.getStaticPaths === undefined ? page : { ...page, getStaticPaths: () => [entry] };
    const loader = () => Promise.resolve({ page: () => Promise.resolve(single) });
    this.app.manifest.pageMap?.set(route.component, loader as unknown as Loader);
    this.#failure = "";
    const response = await this.app.render(new Request(urlOf(this.app, route, order.path)), {
      routeData: route,
    });
    if (response.status >= 500) {
      throw new Error(`Cannot render ${order.path} (${route.component}): ${this.#failure}`);
    }
    if (response.status >= 300 && response.status < 400) {
      throw new Error(
        `Cannot render ${order.path} (${route.component}): redirects are not supported`,
      );
    }
    return new Uint8Array(await response.arrayBuffer());
  }
}

type Loader = NonNullable<ReturnType<NonNullable<App["manifest"]["pageMap"]>["get"]>>;

/** The address Astro gives a page of a static build with folders for pages and a slash at the end. */
export function urlOf(app: App, route: RouteData, path: string): URL {
  const { base, site } = app.manifest;
  const inside = path.replace(/^\//, "");
  const slash = route.type === "page" && inside !== "" && !inside.endsWith("/") ? "/" : "";
  return new URL(`${base.replace(/\/?$/, "/")}${inside}${slash}`, site ?? "http://localhost:4321");
}

/** A route's parameters, read back from the path they made. */
export function paramsOf(route: RouteData, path: string): Record<string, string | undefined> {
  const match = route.pattern.exec(path);
  const params: Record<string, string | undefined> = {};
  for (const [index, name] of route.params.entries()) {
    const value = match?.[index + 1];
    if (name.startsWith("...")) params[name.slice(3)] = value === "" ? undefined : value;
    else params[name] = value;
  }
  return params;
}
