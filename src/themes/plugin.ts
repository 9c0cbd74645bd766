/** The Vite plugin of themes and of `site/`: it redirects imports to overrides, and collects the style sheets. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, isAbsolute, join } from "node:path";
import type { Plugin } from "vite";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { MOVED_COMPONENTS } from "../settings/moved.ts";
import type { SitePage } from "../settings/site-data.ts";
import { whereTo } from "./idle-overrides.ts";
import { besideOriginal, overrideOf, slashes } from "./overrides.ts";
import { themeFolders, themeSheets, type ThemePlaces } from "./theme.ts";

const isMarkdown = (file: string): boolean => /\.mdx?$/.test(file);

/**
 * What files outside of Commonplace import: all of it, or a component or layout. The name without "astro-" is that of a fork made
 * before the first release.
 */
const NAMED = /^(?:astro-)?commonplace((?:\/((?:components|layouts)\/.*)|\/.*)?)$/;

/** Files outside the project import its components and layouts as `astro-commonplace/components/quote/Card.astro`. */
export function themePlugin(
  theme: string,
  places: ThemePlaces,
  pages: readonly SitePage[],
): Plugin {
  const src = join(places.packageRoot, "src");
  const own = (file: string): string => slashes(join(places.site ?? src, "pages", file));
  const inPages = (file: string): string => slashes(join(src, "pages", file));
  // The replacement has the name of the project's module, by which Astro finds the style sheets of a page.
  const replacementOf = (id: string): string | null => {
    const page = pages.find(({ replaces }) => replaces !== null && id === inPages(replaces));
    if (page === undefined) return null;
    const by = quoted(
      isMarkdown(page.file) ? slashes(join(src, "layouts/Markdown.astro")) : own(page.file),
    );
    if (!id.endsWith(".astro")) return `export * from ${by};`;
    const paths = page.pattern.includes("[") ? `export { getStaticPaths } from ${by};\n` : "";
    return `---\nimport Page from ${by};\n${paths}---\n<Page {...Astro.props} />\n`;
  };
  // A package is found from itself wherever the importer lies.
  const manifest = join(places.packageRoot, "package.json");
  const request = (
    source: string,
    importer: string,
    named: string | undefined,
  ): [string, string] =>
    named === undefined ? [source, importer] : [`astro-commonplace${named}`, manifest];
  const themes = themeFolders(theme, places);
  // Vite resolves symbolic links, and a theme in development often is one.
  const folders = [places.site ?? [], themes, src].flat().map((folder) => realpathSync(folder));
  const sheets = (): string[] => themeSheets(themes, places.site);
  const markdown = pages
    .filter(({ file }) => isMarkdown(file))
    .map(({ file, pattern }) => `[${quoted(pattern)}]: () => import(${quoted(own(file))})`);
  /** The virtual modules (src/layouts/modules.d.ts). */
  const modules: Readonly<Record<string, () => string>> = {
    // All sheets of the theme and of `site/`, in order.
    "virtual:commonplace/styles": () => importsOf(sheets()),
    // The same without `theme.css`, for embed pages.
    "virtual:commonplace/tokens": () =>
      importsOf(sheets().filter((sheet) => basename(sheet) !== "theme.css")),
    // The Markdown files of `site/pages`, by the pattern of their route.
    "virtual:commonplace/markdown": () => `export default { ${markdown.join(", ")} };`,
  };
  return {
    name: "commonplace:theme",
    enforce: "pre",
    configEnvironment(name) {
      // With source maps an error names the line of a file of `site/`, if it has any besides `.gitkeep`.
      const files = places.site === null ? [] : readdirSync(places.site);
      if (name !== "prerender" || files.every((file) => file.startsWith("."))) return null;
      return { build: { sourcemap: "inline" } };
    },
    async resolveId(source, importer) {
      if (Object.hasOwn(modules, source)) return `\0${source}`;
      if (importer === undefined || source.includes("?")) return null;
      const importing = importer.split("?")[0] ?? "";
      const [, named, inside] = NAMED.exec(source) ?? [];
      // Vite takes a package's import of itself for one that the project resolves, under a name that the project does not know.
      const isOldName = named !== undefined && source.startsWith("commonplace");
      const resolved =
        inside !== undefined
          ? componentOf(join(src, inside), inside, importing)
          : isOldName
            ? ownModule(manifest, named)
            : (await this.resolve(...request(source, importer, named), { skipSelf: true }))?.id;
      const copied = resolved === undefined ? besideOriginal(source, importing, folders) : [];
      const file = resolved ?? copied.find((path) => existsSync(path));
      if (file === undefined || !isAbsolute(file)) return null;
      // Vite finds by itself what lies beside the importer.
      const isFound = named === undefined && resolved !== undefined;
      return overrideOf(file, importing, folders) ?? (isFound ? null : slashes(file));
    },
    load: (id) => modules[id.replace(/^\0/, "")]?.() ?? replacementOf(id),
  };
}

/** The file of a module of Commonplace by its public name; undefined where it exports none of that name. */
function ownModule(manifest: string, named: string): string | undefined {
  try {
    return createRequire(manifest).resolve(`astro-commonplace${named}`);
  } catch {
    return undefined;
  }
}

/**
 * The file of a component or layout that is imported by its public name.
 *
 * @param inside its path below `src`
 * @throws {ConfigurationError} when there is none, with the new or the nearest path
 */
function componentOf(file: string, inside: string, importer: string): string {
  if (existsSync(file)) return file;
  const { to = null } = MOVED_COMPONENTS[inside] ?? {};
  if (to !== null) return file.slice(0, -inside.length) + to;
  throw new ConfigurationError(
    `Cannot find astro-commonplace/${inside}, which ${nameOf(importer)} imports: ${whereTo(inside)}`,
  );
}

const quoted = (text: string): string => JSON.stringify(text);

function importsOf(files: readonly string[]): string {
  return files.map((file) => `import ${quoted(slashes(file))};`).join("\n");
}
