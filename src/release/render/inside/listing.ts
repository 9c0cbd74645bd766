/** Lists the pages of a bundle, in Astro's own way and order, with what their routes say of each. */
import { StaticPaths } from "astro/runtime/prerender/static-paths.js";
import type { App, PageModule } from "./astro-way.ts";
import type { Props, RoutePages } from "./types.ts";

export async function listPages(app: App): Promise<RoutePages[]> {
  const { manifest } = app;
  const entries = new Map<string, readonly StaticEntry[]>();
  for (const [component, load] of manifest.pageMap ?? []) {
    manifest.pageMap?.set(component, async () => {
      const loaded = await load();
      const module = (await loaded.page()) as PageModule;
      const { getStaticPaths } = module;
      if (getStaticPaths === undefined) return loaded;
      const observed = {
        ...module,
        getStaticPaths: async (options: unknown) => {
          const found = await getStaticPaths(options);
          entries.set(component, found);
          return found;
        },
      };
      return { ...loaded, page: () => Promise.resolve(observed) } as typeof loaded;
    });
  }
  const routes = manifest.routes.map(({ routeData }) => routeData);
  const pages = new Map<number, { paths: string[]; keys: (string | null)[] }>();
  for (const { pathname, route, cacheKey } of await new StaticPaths(app).getAll()) {
    if (route.type !== "page" && route.type !== "endpoint") {
      throw new Error(`Cannot render ${pathname}: ${route.type} routes are not supported`);
    }
    const index = routes.indexOf(route);
    const of = pages.get(index) ?? { paths: [], keys: [] };
    pages.set(index, of);
    of.paths.push(pathname);
    of.keys.push(cacheKey ?? null);
  }
  return [...pages].map(([route, { paths, keys }]) => {
    const data = routes[route];
    const component = data?.component ?? "";
    const endpoint = data?.type === "endpoint";
    return { route, component, endpoint, paths, keys, props: propsOf(entries.get(component)) };
  });
}

interface StaticEntry {
  readonly props?: Props;
}

function propsOf(entries: readonly StaticEntry[] | undefined): readonly Props[] | null {
  if (entries?.some(({ props }) => props !== undefined) !== true) return null;
  return entries.map(({ props }) => props ?? {});
}
