/**
 * `npm run theme -- new NAME`: writes the skeleton of a theme.
 *
 * A plain name becomes a folder in `site/themes`; a path may lead out of the repository.
 */
import { join } from "node:path";
import { nameOf } from "../files/name-of.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import { makeTheme } from "../themes/make-theme.ts";
import { siteFolder } from "../themes/site-folder.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export function run({ words: [, name = ""] }: ProgramContext): Outcome {
  const site = siteFolder() ?? join(PROJECT_ROOT, "site");
  const folder = makeTheme(name, site);
  const config = nameOf(join(site, "config.ts"));
  return {
    text: `${folder}\nSet theme: ${JSON.stringify(name)} in ${config}, or try it: SITE_THEME=${name} npm run render`,
    result: { folder, theme: name },
  };
}
