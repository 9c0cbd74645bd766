/** The Vite plugin of themes and of the fork's own folder: redirects imports to overrides, and collects the sheets. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import nodePath, { basename, isAbsolute, join } from "node:path";
import type { Plugin } from "vite";
import type { SitePage } from "../settings/site-data.ts";
import { themeFolders, themeSheets, type ThemePlaces } from "./theme.ts";

const slashes = (file: string): string => file.replaceAll("\\", "/");
const isMarkdown = (file: string): boolean => /\.mdx?$/.test(file);

/** Files outside of the project reach its modules as `commonplace/components/quote/Card.astro`. */
export function themePlugin(
  theme: string,
  places: ThemePlaces,
  pages: readonly SitePage[],
): Plugin {
  const src = join(places.root, "src");
  const own = (file: string): string => slashes(join(places.site ?? src, "pages", file));
  const inPages = (file: string): string => slashes(join(src, "pages", file));
  // The module keeps its name, by which Astro finds the sheets of a page.
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
  const themes = themeFolders(theme, places);
  // Vite names a file by its path without links, and a theme in development often is one.
  const folders = [places.site ?? [], themes, src].flat().map((folder) => realpathSync(folder));
  const sheets = (): string[] => themeSheets(themes, places.site);
  const markdown = pages
    .filter(({ file }) => isMarkdown(file))
    .map(({ file, pattern }) => `[${quoted(pattern)}]: () => import(${quoted(own(file))})`);
  /** The modules that this plugin writes (src/layouts/modules.d.ts). */
  const modules: Readonly<Record<string, () => string>> = {
    // Every sheet of the theme and of `site/`, in order.
    "virtual:commonplace/styles": () => importsOf(sheets()),
    // The same without the themes' layouts: for pages to embed, which have the tokens alone.
    "virtual:commonplace/tokens": () =>
      importsOf(sheets().filter((sheet) => basename(sheet) !== "theme.css")),
    // The Markdown files of `site/pages`, by the pattern of their route.
    "virtual:commonplace/markdown": () => `export default { ${markdown.join(", ")} };`,
  };
  return {
    name: "commonplace:theme",
    enforce: "pre",
    configEnvironment(name) {
      // With them a failure names the line of a fork's own file; a folder may hold nothing but a `.gitkeep`.
      const files = places.site === null ? [] : readdirSync(places.site);
      if (name !== "prerender" || files.every((file) => file.startsWith("."))) return null;
      return { build: { sourcemap: "inline" } };
    },
    async resolveId(source, importer) {
      if (Object.hasOwn(modules, source)) return `\0${source}`;
      if (importer === undefined || source.includes("?")) return null;
      const inside = /^commonplace\/((?:components|layouts)\/.*)/.exec(source)?.[1];
      const file =
        inside === undefined
          ? (await this.resolve(source, importer, { skipSelf: true }))?.id
          : join(src, inside);
      if (file === undefined || !isAbsolute(file)) return null;
      const asking = importer.split("?")[0] ?? "";
      return overrideOf(file, asking, folders) ?? (inside === undefined ? null : file);
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
 * The file to use for a file of one of the layers.
 *
 * @param importer the file that asks: an override gets what it replaces, and not itself
 * @param folders absolute; they mirror `src`, the first wins, and the last is `src` itself
 * @param system rules of another system's files, for tests
 * @returns with slashes, as Vite writes paths; null where the file is the right one
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
