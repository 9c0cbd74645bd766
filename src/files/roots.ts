/**
 * The two folders that paths begin at. In a clone, which is its own project, they are one folder. Where a project uses Commonplace
 * as a package, the source is below `node_modules`, or elsewhere on the disk.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of Commonplace: its pages, themes, styles and `public`. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the site's owner: `site/`, `astro.config.mjs`, `.env`, `public`. Paths in settings begin here. */
export const PROJECT_ROOT = projectRoot();

/** A command sets the variable for its children, which begin in other folders (scripts/commonplace.mjs). */
function projectRoot(): string {
  const { COMMONPLACE_PROJECT: inherited = "" } = process.env;
  if (inherited !== "") return realpathSync.native(inherited);
  return /[\\/]node_modules[\\/]/.test(PACKAGE_ROOT) ? process.cwd() : PACKAGE_ROOT;
}
