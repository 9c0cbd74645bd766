/**
 * Finds the folder of a theme, and of the themes that it extends. A theme has `tokens.css`, `theme.css`, components and
 * layouts, each optional.
 *
 * `theme.json` may name another theme (`{ "extends": "folio" }`), whose files are used wherever this theme has none.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { parseJsonFile } from "../settings/site-config.ts";

/** The folders that are searched for themes. */
export interface ThemePlaces {
  /** The folder of Commonplace, with the themes of `src/themes`. */
  readonly packageRoot: string;
  /** The folder of the site's owner: paths begin here, and packages are looked up from here. */
  readonly projectRoot: string;
  /** The folder `site/`; null where there is none. */
  readonly site: string | null;
}

/** A folder with one of these is a theme. */
const MARKS = ["theme.json", "theme.css", "tokens.css"];

const manifestSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The theme that this one builds on: a name, a path from this theme's folder, or an npm package. */
  extends: z.string().min(1).optional(),
});

/**
 * The folders of a theme and of those that it extends, itself first.
 *
 * @param theme a folder of `site/themes` or `src/themes`, a path from the project's folder, or an npm package
 * @throws {ConfigurationError} when there is no such theme, or a theme extends itself
 */
export function themeFolders(theme: string, places: ThemePlaces): string[] {
  const folders: string[] = [];
  let from = places.projectRoot;
  for (let name: string | undefined = theme; name !== undefined;) {
    const folder = folderOf(name, from, places);
    if (folder === null || !MARKS.some((mark) => existsSync(join(folder, mark)))) {
      throw new ConfigurationError(
        `Cannot use theme ${JSON.stringify(name)}: expected a folder of site/themes or src/themes, a path or an npm package, with ${MARKS.join(" or ")}`,
      );
    }
    if (folders.includes(folder)) {
      throw new ConfigurationError(`Cannot use theme ${JSON.stringify(theme)}: it extends itself`);
    }
    folders.push(folder);
    name = parentOf(folder);
    from = folder;
  }
  return folders;
}

/** The style sheets of the themes and of `site/`, in the order in which they apply. */
export function themeSheets(folders: readonly string[], site: string | null): string[] {
  const oldestFirst = folders.toReversed();
  const sheets = [
    ...oldestFirst.map((folder) => join(folder, "tokens.css")),
    ...oldestFirst.map((folder) => join(folder, "theme.css")),
    ...(site === null ? [] : [join(site, "styles.css")]),
  ];
  return sheets.filter((sheet) => existsSync(sheet));
}

function folderOf(theme: string, from: string, places: ThemePlaces): string | null {
  if (theme.startsWith(".") || isAbsolute(theme)) return resolve(from, theme);
  const { packageRoot, projectRoot, site } = places;
  const own = [...(site === null ? [] : [join(site, "themes")]), join(packageRoot, "src/themes")]
    .map((folder) => join(folder, theme))
    .find((folder) => existsSync(folder));
  if (own !== undefined) return own;
  const found = createRequire(join(projectRoot, "package.json")).resolve.paths(theme) ?? [];
  const manifest = found
    .map((folder) => join(folder, theme, "package.json"))
    .find((file) => existsSync(file));
  if (manifest === undefined) return null;
  const { commonplace } = readJson(manifest) as { commonplace?: unknown };
  return join(dirname(manifest), typeof commonplace === "string" ? commonplace : ".");
}

function parentOf(folder: string): string | undefined {
  const file = join(folder, "theme.json");
  if (!existsSync(file)) return undefined;
  const read = manifestSchema.safeParse(readJson(file));
  if (read.success) return read.data.extends;
  const [issue] = read.error.issues;
  throw new ConfigurationError(
    `Cannot read ${nameOf(file)}: ${issue?.message ?? "not understood"}`,
  );
}

function readJson(file: string): unknown {
  return parseJsonFile({ name: nameOf(file), text: readFileSync(file, "utf8") });
}
