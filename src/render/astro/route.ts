/** Opens the routes whose pages threads render. */
import type { RouteData } from "astro";
import { ComponentRenderer } from "./by-component.ts";
import { refuseImages, RequestRenderer } from "./by-request.ts";
import type { App, Component, Entry, PageModule, Piece } from "./types.ts";

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
  const byRequest = new RequestRenderer(app, route);
  const byComponent = new ComponentRenderer(component as Component, byRequest);
  const isWatched = route.type === "page" && isComponent(component);
  const first = isWatched ? { ...module, default: byComponent.watched() } : module;
  await byRequest.respond(path, first, async (options) => {
    byRequest.keepProps((hasProps && (await module.getStaticPaths?.(options))) || []);
  });
  return {
    /** The page's source file. */
    component: route.component,

    /** @throws {NeedsRequest} when the page can only be rendered from a request */
    render: (path: string): Promise<readonly Piece[]> => byComponent.render(path),

    /** Renders a page as Astro does. @throws with Astro's message when the page fails */
    async renderByRequest(path: string): Promise<Uint8Array> {
      const response = await byRequest.respond(path, module);
      return new Uint8Array(await response.arrayBuffer());
    },

    /**
     * Renders a component outside of any page.
     *
     * @returns null if it has more than markup, such as a script, which Astro writes once in each page
     */
    renderComponent: (component: Component, props: object): Promise<string | null> =>
      byComponent.renderComponent(component, props),
  };
}

function isComponent(value: unknown): value is Component {
  return typeof value === "function" && "isAstroComponentFactory" in value;
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
