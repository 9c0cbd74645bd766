/**
 * `npm run theme -- new NAME`: the skeleton of a theme, ready to be changed.
 *
 * A plain name goes to `themes` of the fork's folder; a path goes where it says, also outside of the repository.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { ROOT } from "../files/name-of.ts";
import type { Program } from "./program.ts";
import { siteFolder } from "./site-folder.ts";
import { themeFiles } from "./theme-files.ts";

/** As a folder and as a value of `theme` in the site's settings. */
const NAME_SHAPE = /^[a-z][a-z0-9-]{0,40}$/;

export const themeProgram: Program = {
  run({ words: [action, name] = [] }) {
    if (action !== "new" || name === undefined) {
      return Promise.reject(
        new UsageError("Cannot make a theme: expected new NAME; see commonplace theme --help"),
      );
    }
    const folder = makeTheme(name, siteFolder(process.env) ?? join(ROOT, "site"));
    return Promise.resolve({
      text: `${folder}\nSet theme: ${JSON.stringify(name)} in site/config.ts, or try it: SITE_THEME=${name} npm run render`,
      result: { folder, theme: name },
    });
  },
};

/**
 * @param site the fork's own folder
 * @returns the folder that was made
 * @throws {UsageError} when the name cannot be one, or is taken
 */
export function makeTheme(name: string, site: string): string {
  const isPath = name.includes("/");
  if (!NAME_SHAPE.test(basename(name))) {
    throw new UsageError(
      `Cannot make theme ${JSON.stringify(name)}: expected a name such as my-theme, or a path to one`,
    );
  }
  const folder = isPath ? resolve(ROOT, name) : join(site, "themes", name);
  if (!isPath && existsSync(join(ROOT, "src/themes", name))) {
    throw new UsageError(`Cannot make theme ${name}: the project has one of that name`);
  }
  if (existsSync(folder)) throw new UsageError(`Cannot make theme ${name}: ${folder} is there`);
  for (const [path, text] of Object.entries(themeFiles(basename(name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
