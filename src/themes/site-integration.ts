/** The Astro integration of `site/`: its pages become routes, and changes of its settings restart the dev server. */
import { cpSync, existsSync, globSync, rmSync } from "node:fs";
import { isAbsolute, join, matchesGlob, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AstroIntegration, RouteData } from "astro";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import type { SitePage } from "../settings/site-data.ts";
import { MIRRORED } from "./overrides.ts";
import { PACKAGE_PAGES, publicFolders, routeFiles } from "./site-folder.ts";

/** The route of every Markdown file. */
const MARKDOWN = fileURLToPath(new URL("../layouts/Markdown.astro", import.meta.url));

/** Optional files of a theme and of `site/`. */
const OVERRIDES = `{theme.json,tokens.css,theme.css,styles.css,{${MIRRORED.join()}}/**}`;

export interface SiteFolder {
  /** Null where there is none. */
  readonly site: string | null;
  /** The folders of the theme and of the themes that it extends. */
  readonly themes: readonly string[];
  readonly pages: readonly SitePage[];
  readonly stateDir: string;
}

export function siteIntegration({ site, themes, pages, stateDir }: SiteFolder): AstroIntegration {
  // A new or deleted file of these may change the target of an import.
  const isRead = (file: string): boolean =>
    (site !== null &&
      matchesGlob(relative(site, file), "{config.ts,*.yaml,{pages,messages}/**}")) ||
    [site ?? [], themes].flat().some((folder) => matchesGlob(relative(folder, file), OVERRIDES));
  let watch: (file: string) => void = () => undefined;
  /** The first has the file that wins where several have one of the same name. */
  const folders = [...new Set(publicFolders())];
  const publicDir = join(stateDir, "public");
  return {
    name: "commonplace:site",
    hooks: {
      "astro:config:setup": ({ command, config, injectRoute, addWatchFile, updateConfig }) => {
        watch = addWatchFile;
        refuseRedirects(Object.keys(config.redirects));
        for (const route of packageRoutes(fileURLToPath(config.srcDir))) injectRoute(route);
        if (site !== null) {
          const read = ["config.ts", "*.yaml", "messages/*.json", "pages/**/*.{md,mdx}"];
          for (const file of globSync(read, { cwd: site })) watch(join(site, file));
          for (const folder of themes) watch(join(folder, "theme.json"));
          for (const { file, pattern, replaces } of pages) {
            if (replaces !== null) continue;
            const entrypoint = /\.mdx?$/.test(file) ? MARKDOWN : join(site, "pages", file);
            injectRoute({ pattern, entrypoint, prerender: true });
          }
          // An error then names the line of a file of `site/`, and not of a bundle.
          if (command === "build") process.setSourceMapsEnabled(true);
        }
        if (command === "sync") return;
        // Always a copy: a folder that is made while the dev server runs is served as well.
        rmSync(publicDir, { recursive: true, force: true });
        for (const folder of folders.toReversed()) {
          if (!existsSync(folder)) continue;
          cpSync(folder, publicDir, { recursive: true, preserveTimestamps: true, filter });
        }
        updateConfig({ publicDir: pathToFileURL(`${publicDir}/`) });
      },
      "astro:server:setup": ({ server }) => {
        server.watcher.add([site ?? [], themes].flat());
        // Astro restarts when a watched file changes. This listener runs before Astro's, so a new file is watched in time.
        for (const event of ["add", "unlink"] as const) {
          server.watcher.on(event, (file: string) => {
            if (isRead(file)) watch(file);
          });
        }
        server.watcher.on("all", (_, file) => {
          for (const folder of folders) {
            const inside = relative(folder, file);
            if (inside.startsWith("..") || isAbsolute(inside)) continue;
            const source = folders
              .map((each) => join(each, inside))
              .find((path) => existsSync(path));
            const copy = join(publicDir, inside);
            if (source === undefined) rmSync(copy, { recursive: true, force: true });
            else cpSync(source, copy, { recursive: true });
          }
        });
      },
    },
  };
}

/**
 * The pages of Commonplace that Astro does not find by itself: all of them, unless the source of the project is that of Commonplace.
 * A page of the project's own `src/pages` stands in for one with the same addresses.
 */
function packageRoutes(src: string) {
  const own = join(src, "pages");
  if (relative(own, PACKAGE_PAGES) === "") return [];
  const taken = new Set(routeFiles(own).map(({ shape }) => shape));
  return routeFiles(PACKAGE_PAGES)
    .filter(({ shape }) => !taken.has(shape))
    .map(({ file, pattern }) => ({ pattern, entrypoint: file, prerender: true }));
}

/** Astro leaves out a page from whose address a redirect leads. @throws {ConfigurationError} for such a redirect */
function refuseRedirects(addresses: readonly string[]): void {
  const pages = routeFiles(PACKAGE_PAGES);
  for (const address of addresses) {
    const pattern = `/${address.replace(/^\/|\/$/g, "")}`;
    const page = pages.find((route) => route.pattern === pattern);
    if (page === undefined) continue;
    throw new ConfigurationError(
      `Cannot redirect ${address} in astro.config.mjs: it is the address of ${nameOf(page.file)}`,
    );
  }
}

/** The source of a page, for messages: Astro names the layout of every Markdown page, and the address of a redirect. */
export function sourceOf(
  site: string | null,
  pages: readonly SitePage[],
  { type, route, component }: RouteData,
): string {
  if (type === "redirect") return `the redirect of ${component}`;
  const own = pages.find(({ pattern }) => pattern === route);
  return site === null || own === undefined ? component : nameOf(join(site, "pages", own.file));
}

/** @throws {ConfigurationError} for a broken link; Vite would name only its copy, as a bug */
function filter(file: string): boolean {
  if (existsSync(file)) return true;
  throw new ConfigurationError(
    `Cannot copy ${nameOf(file)}: it is a link to a file that is missing`,
  );
}

/** The addresses of all pages of the owner, in `site/pages` and in `src/pages` of a project that is no clone, with those of dynamic routes and without endpoints. */
export function pathsOf(
  site: string | null,
  root: string,
  all: readonly { readonly pathname: string; readonly route: RouteData }[],
): string[] {
  const own = [site ?? [], join(root, "src")]
    .flat()
    .map((folder) => join(folder, "pages"))
    .filter((folder) => relative(folder, PACKAGE_PAGES) !== "");
  const isOwn = (component: string): boolean => {
    const file = resolve(root, component);
    return file === MARKDOWN || own.some((folder) => !relative(folder, file).startsWith(".."));
  };
  return all
    .filter(({ route }) => route.type === "page" && isOwn(route.component))
    .map(({ pathname }) => `/${pathname.replace(/^\/+|\/+$/g, "")}/`);
}
