/** The Astro integration of `site/`: its pages become routes, and changes of its settings restart the dev server. */
import { cpSync, existsSync, globSync, rmSync } from "node:fs";
import { join, matchesGlob, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AstroIntegration, RouteData } from "astro";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import type { SitePage } from "../settings/site-data.ts";
import { MIRRORED } from "./plugin.ts";

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
  if (site === null) return { name: "commonplace:site", hooks: {} };
  // A new or deleted file of these may change the target of an import.
  const isRead = (file: string): boolean =>
    matchesGlob(relative(site, file), "{config.ts,{pages,messages}/**}") ||
    [site, ...themes].some((folder) => matchesGlob(relative(folder, file), OVERRIDES));
  let watch: (file: string) => void = () => undefined;
  let publicDir: string | null = null;
  return {
    name: "commonplace:site",
    hooks: {
      "astro:config:setup": ({ command, config, injectRoute, addWatchFile, updateConfig }) => {
        watch = addWatchFile;
        refuseRedirects(Object.keys(config.redirects), fileURLToPath(config.srcDir));
        const read = ["config.ts", "messages/*.json", "pages/**/*.{md,mdx}"];
        for (const file of globSync(read, { cwd: site })) watch(join(site, file));
        for (const folder of themes) watch(join(folder, "theme.json"));
        for (const { file, pattern, replaces } of pages) {
          if (replaces !== null) continue;
          const entrypoint = /\.mdx?$/.test(file) ? MARKDOWN : join(site, "pages", file);
          injectRoute({ pattern, entrypoint, prerender: true });
        }
        // An error then names the line of a file of `site/`, and not of a bundle.
        if (command === "build") process.setSourceMapsEnabled(true);
        if (command === "sync" || !existsSync(join(site, "public"))) return;
        publicDir = join(stateDir, "public");
        rmSync(publicDir, { recursive: true, force: true });
        // The second folder wins where both have a file of the same name.
        for (const folder of [fileURLToPath(config.publicDir), join(site, "public")]) {
          if (!existsSync(folder)) continue;
          cpSync(folder, publicDir, { recursive: true, preserveTimestamps: true, filter });
        }
        updateConfig({ publicDir: pathToFileURL(`${publicDir}/`) });
      },
      "astro:server:setup": ({ server }) => {
        server.watcher.add([site, ...themes]);
        // Astro restarts when a watched file changes. This listener runs before Astro's, so a new file is watched in time.
        for (const event of ["add", "unlink"] as const) {
          server.watcher.on(event, (file: string) => {
            if (isRead(file)) watch(file);
          });
        }
        server.watcher.on("all", (_, file) => {
          const inside = relative(join(site, "public"), file);
          if (publicDir === null || inside.startsWith("..")) return;
          const changed = join(publicDir, inside);
          if (existsSync(file)) cpSync(file, changed, { recursive: true });
          else rmSync(changed, { recursive: true, force: true });
        });
      },
    },
  };
}

/** Astro leaves out a page from whose address a redirect leads. @throws {ConfigurationError} for such a redirect */
function refuseRedirects(addresses: readonly string[], src: string): void {
  for (const address of addresses) {
    const path = address.replace(/^\/|\/$/g, "");
    const names = [`${path}.astro`, join(path, "index.astro"), `${path}.ts`];
    const page = names.map((name) => join(src, "pages", name)).find((file) => existsSync(file));
    if (page === undefined) continue;
    throw new ConfigurationError(
      `Cannot redirect ${address} in astro.config.mjs: it is the address of ${nameOf(page)}`,
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

/** The addresses of all pages of `site/pages`, with those of dynamic routes and without endpoints. */
export function pathsOf(
  site: string | null,
  root: string,
  all: readonly { readonly pathname: string; readonly route: RouteData }[],
): string[] {
  if (site === null) return [];
  const isOwn = (component: string): boolean => {
    const file = resolve(root, component);
    return file === MARKDOWN || !relative(join(site, "pages"), file).startsWith("..");
  };
  return all
    .filter(({ route }) => route.type === "page" && isOwn(route.component))
    .map(({ pathname }) => `/${pathname.replace(/^\/+|\/+$/g, "")}/`);
}
