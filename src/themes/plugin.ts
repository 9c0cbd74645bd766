/** The Vite plugin of themes and of `site/`: it redirects imports to overrides, and collects the style sheets. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import nodePath, { basename, isAbsolute, join } from "node:path";
import type { Plugin } from "vite";
import type { SitePage } from "../settings/site-data.ts";
import { themeFolders, themeSheets, type ThemePlaces } from "./theme.ts";

const slashes = (file: string): string => file.replaceAll("\\", "/");
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
      const [, named, inside] = NAMED.exec(source) ?? [];
      const file =
        inside === undefined
          ? (await this.resolve(...request(source, importer, named), { skipSelf: true }))?.id
          : join(src, inside);
      if (file === undefined || !isAbsolute(file)) return null;
      const importing = importer.split("?")[0] ?? "";
      return overrideOf(file, importing, folders) ?? (named === undefined ? null : file);
    },
    load: (id) => modules[id.replace(/^\0/, "")]?.() ?? replacementOf(id),
  };
}

const quoted = (text: string): string => JSON.stringify(text);

function importsOf(files: readonly string[]): string {
  return files.map((file) => `import ${quoted(slashes(file))};`).join("\n");
}

/** Folders of `src` whose files may be overridden. */
export const MIRRORED = ["components", "layouts"];

interface System {
  readonly exists: (file: string) => boolean;
  readonly path: Pick<typeof nodePath, "join" | "relative" | "sep">;
}

/**
 * Finds the override of a file.
 *
 * @param importer file with the import: an override that imports its own path gets the file that it replaces
 * @param folders absolute paths that mirror `src`: the first wins, and the last is `src` itself
 * @param system path rules of another operating system, for tests
 * @returns path with slashes, as Vite has it; null where the file has no override
 */
export function overrideOf(
  file: string,
  importer: string,
  folders: readonly string[],
  { exists = existsSync, path = nodePath }: Partial<System> = {},
): string | null {
  const same = (a: string, b: string): boolean => path.relative(a, b) === "";
  const inside = folders
    .map((folder) => path.relative(folder, file))
    .find((name) => MIRRORED.includes(name.split(path.sep)[0] ?? ""));
  if (inside === undefined) return null;
  const candidates = folders
    .map((layer) => path.join(layer, inside))
    .filter((name) => exists(name));
  const found = candidates[candidates.findIndex((name) => same(name, importer)) + 1];
  return found === undefined || same(found, file) ? null : slashes(found);
}
