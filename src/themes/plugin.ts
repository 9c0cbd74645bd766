/** The Vite plugin of themes and of the fork's own folder: redirects imports to overrides, and collects the sheets. */
import { readdirSync, existsSync } from "node:fs";
import nodePath, { basename, isAbsolute, join } from "node:path";
import type { SitePage } from "../settings/site-data.ts";
import { checkSheet } from "./colours.ts";
import { themeFolders, themeSheets, type ThemePlaces } from "./theme.ts";

/** The Markdown files of `site/pages`, by the pattern of their route. */
const MARKDOWN = "virtual:commonplace/markdown";

/** Imports every sheet of the theme and of `site/`, in order. */
const STYLES = "virtual:commonplace/styles";

/** The same without the themes' layouts: for pages to embed, which have the tokens alone. */
const TOKENS = "virtual:commonplace/tokens";

const slashes = (file: string): string => file.replaceAll("\\", "/");
const isMarkdown = (file: string): boolean => /\.mdx?$/.test(file);

/** The part of a Vite plugin that this module is; spelled out, so that nothing of Vite is imported for a type. */
interface ResolveContext {
  resolve(
    source: string,
    importer: string,
    options: { skipSelf: true },
  ): Promise<{ readonly id: string } | null>;
}

/** Files outside of the project reach its modules as `commonplace/components/quote/Card.astro`. */
export function themePlugin(theme: string, places: ThemePlaces, pages: readonly SitePage[]) {
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
  const folders = [...(places.site === null ? [] : [places.site]), ...themes, src];
  return {
    name: "commonplace:theme",
    enforce: "pre" as const,
    // A bundler that minifies the sheets as one names no file.
    configResolved({ command }: { readonly command: string }) {
      if (command === "build") themeSheets(themes, places.site).forEach(checkSheet);
    },
    configEnvironment(name: string) {
      // With them a failure names the line of a fork's own file; a folder may hold nothing but a `.gitkeep`.
      const files = places.site === null ? [] : readdirSync(places.site);
      if (name !== "prerender" || files.every((file) => file.startsWith("."))) return null;
      return { build: { sourcemap: "inline" as const } };
    },
    async resolveId(this: ResolveContext, source: string, importer: string | undefined) {
      if ([STYLES, TOKENS, MARKDOWN].includes(source)) return `\0${source}`;
      if (importer === undefined || source.includes("?")) return null;
      const inside = /^commonplace\/((?:components|layouts)\/.*)/.exec(source)?.[1];
      const file =
        inside === undefined
          ? (await this.resolve(source, importer, { skipSelf: true }))?.id
          : join(src, inside);
      if (file === undefined || !isAbsolute(file)) return null;
      const asking = importer.split("?")[0] ?? "";
      return overrideOf(file, asking, { folders }) ?? (inside === undefined ? null : file);
    },
    load(id: string) {
      if (id === `\0${STYLES}`) return importsOf(themeSheets(themes, places.site));
      if (id === `\0${TOKENS}`) {
        const sheets = themeSheets(themes, places.site);
        return importsOf(sheets.filter((sheet) => basename(sheet) !== "theme.css"));
      }
      if (id !== `\0${MARKDOWN}`) return replacementOf(id);
      const entries = pages
        .filter(({ file }) => isMarkdown(file))
        .map(({ file, pattern }) => `[${quoted(pattern)}]: () => import(${quoted(own(file))})`);
      return `export default { ${entries.join(", ")} };`;
    },
  };
}

const quoted = (text: string): string => JSON.stringify(text);

function importsOf(files: readonly string[]): string {
  return files.map((file) => `import ${quoted(slashes(file))};`).join("\n");
}

/** Folders of `src` whose files may be overridden. */
export const MIRRORED = ["components", "layouts"];

export interface Layers {
  /** Folders that mirror `src`, the first wins; the last is `src` itself. Absolute. */
  readonly folders: readonly string[];
  readonly exists?: (file: string) => boolean;
  /** Rules of another system's paths, for tests. */
  readonly path?: Pick<typeof nodePath, "join" | "relative" | "sep">;
}

/**
 * The file to use for a file of one of the layers.
 *
 * @param importer the file that asks: an override gets what it replaces, and not itself
 * @returns with slashes, as Vite writes paths; null where the file is the right one
 */
export function overrideOf(file: string, importer: string, layers: Layers): string | null {
  const { folders, exists = existsSync, path = nodePath } = layers;
  const same = (a: string, b: string): boolean => path.relative(a, b) === "";
  for (const folder of folders) {
    const inside = path.relative(folder, file);
    if (!MIRRORED.includes(inside.split(path.sep)[0] ?? "")) continue;
    const candidates = folders.map((layer) => path.join(layer, inside)).filter(exists);
    const asking = candidates.findIndex((candidate) => same(candidate, importer));
    const found = candidates[asking + 1];
    return found === undefined || same(found, file) ? null : found.replaceAll("\\", "/");
  }
  return null;
}
