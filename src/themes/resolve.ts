/**
 * Lets a theme take the place of any component, layout or sheet without touching it.
 *
 * A file of the theme stands in for the file of the same path below `src`: `components/quote/Card.astro` of the theme for
 * `src/components/quote/Card.astro`. Imports are redirected, so every page gets the theme's, and the theme's own file may
 * still import the one it replaces. Sheets are `tokens.css` and `theme.css`, in the place of folio's.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";

/** Folder of a theme by its name here, by a path, or by the name of an npm package. */
export function themeFolder(theme: string, root: string): string {
  const folder = folderOf(theme, root);
  if (folder !== null && existsSync(join(folder, "theme.css"))) return folder;
  throw new ConfigurationError(
    `Cannot use theme ${JSON.stringify(theme)}: expected a folder of src/themes, a path or an npm package with a theme.css`,
  );
}

/** Folders of a theme that are no part of `src`: what is made of them is to be made again when they change. */
export function themeSources(theme: string, root: string): string[] {
  const folder = themeFolder(theme, root);
  return relative(join(root, "src"), folder).startsWith("..") ? [folder] : [];
}

function folderOf(theme: string, root: string): string | null {
  if (theme.startsWith(".") || isAbsolute(theme)) return resolve(root, theme);
  const own = join(root, "src/themes", theme);
  if (existsSync(own)) return own;
  const manifest = packageManifest(theme, root);
  if (manifest === null) return null;
  const { commonplace } = JSON.parse(readFileSync(manifest, "utf8")) as { commonplace?: unknown };
  return join(dirname(manifest), typeof commonplace === "string" ? commonplace : ".");
}

function packageManifest(name: string, root: string): string | null {
  const found = createRequire(join(root, "package.json")).resolve.paths(name) ?? [];
  return found.map((at) => join(at, name, "package.json")).find((file) => existsSync(file)) ?? null;
}

/** Folders of `src` that a theme may mirror. */
const MIRRORED = ["components", "layouts"];

/** The file of a theme that stands in for a file of `src`; null where the theme has none. */
export function standIn(file: string, src: string, folder: string): string | null {
  const path = relative(src, file);
  const [top = ""] = path.split(sep);
  const isSheet = dirname(path) === join("themes", "folio") && path.endsWith(".css");
  if (!MIRRORED.includes(top) && !isSheet) return null;
  const candidate = join(folder, isSheet ? path.slice(join("themes", "folio").length + 1) : path);
  return candidate !== file && existsSync(candidate) ? candidate : null;
}

/** The part of a Vite plugin that this module is; spelled out, so that nothing of Vite is imported for a type. */
interface ResolveContext {
  resolve(
    source: string,
    importer: string,
    options: { skipSelf: true },
  ): Promise<{ readonly id: string } | null>;
}

/** A Vite plugin. Themes outside of the project reach its modules as `commonplace/components/quote/Card.astro`. */
export function themePlugin(theme: string, root: string) {
  const src = join(root, "src");
  const folder = themeFolder(theme, root);
  return {
    name: "commonplace:theme",
    enforce: "pre" as const,
    async resolveId(this: ResolveContext, source: string, importer: string | undefined) {
      if (importer === undefined || source.includes("?")) return null;
      const own = source.startsWith("commonplace/") ? join(src, source.slice(12)) : null;
      const found = own ?? (await this.resolve(source, importer, { skipSelf: true }))?.id;
      if (found === undefined || !isAbsolute(found)) return null;
      const instead = standIn(found, src, folder);
      if (instead !== null && instead !== importer.split("?")[0]) return instead;
      return own;
    },
  };
}
