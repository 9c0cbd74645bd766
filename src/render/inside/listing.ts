/**
 * Lists the pages of a bundle, in Astro's own order, with what their routes say of each.
 *
 * Astro takes five microseconds to make a path of its parameters. Where these hold nothing that needs care we put the
 * path together ourselves; the first and the last path of each route, and all others, are Astro's.
 */
import { StaticPaths } from "astro/runtime/prerender/static-paths.js";
import type { App, PageModule, RouteData } from "./astro-way.ts";
import type { Props, RoutePages } from "./types.ts";

interface Entry {
  readonly params: Readonly<Record<string, string | number | undefined>>;
  readonly props?: Props;
  readonly cacheKey?: string | number;
  readonly near?: number;
}

/** What a route's `getStaticPaths` gave, and which of it is left to Astro. */
interface Listed {
  readonly found: readonly Entry[];
  readonly astros: readonly boolean[];
}

export async function listPages(app: App): Promise<RoutePages[]> {
  const { manifest } = app;
  const entries = new Map<string, Listed>();
  const loaders = [...(manifest.pageMap ?? [])];
  for (const [component, load] of loaders) {
    manifest.pageMap?.set(component, async () => {
      const loaded = await load();
      const module = (await loaded.page()) as PageModule;
      const { getStaticPaths } = module;
      if (getStaticPaths === undefined) return loaded;
      const sampled = async (options: unknown): Promise<Entry[]> => {
        const found = (await getStaticPaths(options)) as Entry[];
        if (!Array.isArray(found)) return found;
        const astros = found.map((_, at) => isAstros(found, at));
        entries.set(component, { found, astros });
        return found.filter((_, at) => astros[at]);
      };
      const page = { ...module, getStaticPaths: sampled };
      return { ...loaded, page: () => Promise.resolve(page) } as typeof loaded;
    });
  }
  const astros = new Map<RouteData, string[]>();
  for (const { pathname, route } of await new StaticPaths(app).getAll()) {
    if (route.type !== "page" && route.type !== "endpoint") {
      throw new Error(`Cannot render ${pathname}: ${route.type} routes are not supported`);
    }
    astros.set(route, [...(astros.get(route) ?? []), pathname]);
  }
  // What stands in the modules' place would hold every page's entry for as long as the thread lives.
  for (const [component, load] of loaders) manifest.pageMap?.set(component, load);
  const routes = manifest.routes.map(({ routeData }) => routeData);
  return [...astros].map(([route, paths]) => {
    const listed = entries.get(route.component);
    const all = listed?.found;
    return {
      route: routes.indexOf(route),
      component: route.component,
      endpoint: route.type === "endpoint",
      paths: listed === undefined ? paths : pathsOf(route, listed, paths),
      nears: nearsOf(all),
      keys: all?.map(({ cacheKey }) => keyOf(cacheKey)) ?? paths.map(() => null),
      props: propsOf(all),
    };
  });
}

/** Nothing that Astro would write in another way: no slash, no sign of an address, nothing to compose. */
const PLAIN = /^[\p{L}\p{M}\p{N}_-]+$/u;
/** Most of them, found out in a third of the time. */
const PLAIN_ASCII = /^[\w-]+$/;

/** Whether the path of an entry is left to Astro. */
function isAstros(entries: readonly Entry[], at: number): boolean {
  if (at === 0 || at === entries.length - 1) return true;
  for (const value of Object.values(entries[at]?.params ?? {})) {
    if (value !== undefined && !isPlain(value)) return true;
  }
  return false;
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "string") return false;
  return PLAIN_ASCII.test(value) || (PLAIN.test(value) && value.normalize() === value);
}

/** @param made the paths that Astro made, in the order of their entries */
function pathsOf(route: RouteData, { found, astros }: Listed, made: readonly string[]): string[] {
  const make = pathMaker(route, made[0] ?? "");
  let taken = 0;
  return found.map(({ params }, at) => {
    if (astros[at] !== true) return make(params);
    const path = made[taken++] ?? "";
    const plain = Object.values(params).every((value) => value === undefined || isPlain(value));
    if (plain && make(params) !== path) {
      throw new Error(`Cannot list ${route.component}: ${path} was to be ${make(params)}`);
    }
    return path;
  });
}

/** @param example a path of Astro's, which ends in a slash or does not */
function pathMaker(route: RouteData, example: string): (params: Entry["params"]) => string {
  const end = example.endsWith("/") ? "/" : "";
  return (params) => {
    let path = "";
    for (const segment of route.segments) {
      let text = "";
      for (const { content, dynamic, spread } of segment) {
        text += dynamic ? (params[spread ? content.slice(3) : content] ?? "") : content;
      }
      if (text !== "") path += `/${text}`;
    }
    return `${path}${end}`;
  };
}

function keyOf(cacheKey: string | number | undefined): string | null {
  return cacheKey === undefined ? null : String(cacheKey);
}

function nearsOf(entries: readonly Entry[] | undefined): readonly (number | null)[] | null {
  if (entries?.some(({ near }) => near !== undefined) !== true) return null;
  return entries.map(({ near }) => near ?? null);
}

function propsOf(entries: readonly Entry[] | undefined): readonly Props[] | null {
  if (entries?.some(({ props }) => props !== undefined) !== true) return null;
  return entries.map(({ props }) => props ?? {});
}
