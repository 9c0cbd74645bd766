/**
 * Leaves packages of Commonplace that the project does not see out of the bundle.
 *
 * pnpm links the packages of a package beside it alone. Vite bundles what cannot be imported from the project, and a CommonJS module
 * such as `wawoff2` does not run in a bundle. So a page imports such a package by the full path of its file.
 */
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

/** Vite reads what these hold: virtual modules, style sheets, fonts. */
const BUNDLED = /^(?:astro$|@astrojs\/|@fontsource)/;

const NAME = /^(?:@[^/]+\/)?[^/]+/;

export function ownPackages(packageRoot: string, projectRoot: string): Plugin {
  const manifest = join(packageRoot, "package.json");
  const { dependencies } = JSON.parse(readFileSync(manifest, "utf8")) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const project = join(projectRoot, "package.json");
  const unseen = Object.keys(dependencies).filter(
    (name) => !BUNDLED.test(name) && manifestOf(name, project) !== manifestOf(name, manifest),
  );
  return {
    name: "commonplace:packages",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "prerender",
    async resolveId(source, importer) {
      if (importer === undefined || !unseen.includes(NAME.exec(source)?.[0] ?? "")) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      if (found === null || !/\.[cm]?js$/.test(found.id)) return found;
      return { id: pathToFileURL(found.id).href, external: true };
    },
  };
}

/** The `package.json` of a package as a module imports it; undefined where it cannot. */
function manifestOf(name: string, importer: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(importer));
  } catch {
    return undefined;
  }
}
