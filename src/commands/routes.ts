/**
 * What the files of `src/pages` and `site/pages` say about which pages a site has, read as Astro reads them.
 *
 * A fork adds and removes pages there; what is expected of a finished site follows.
 */
import { globSync } from "node:fs";
import { sep } from "node:path";

export interface Routes {
  /** Addresses of the pages that are one file each. */
  readonly fixed: readonly string[];
  /** Whole addresses, one expression for each file with a parameter in its name. */
  readonly patterns: readonly RegExp[];
}

/** @param folders where the routes are; a file of a later one may replace one of an earlier */
export function readRoutes(...folders: readonly string[]): Routes {
  const files = folders.flatMap((cwd) => globSync("**/*.{astro,md,mdx,html}", { cwd }));
  // Astro takes no file or folder for a route that starts with a line.
  const names = files
    .map((file) => file.replaceAll(sep, "/").replace(/\.\w+$/, ""))
    .filter((name) => !/(?:^|\/)_/.test(name));
  const unique = [...new Set(names)].sort();
  return {
    fixed: unique.filter((name) => !name.includes("[")).map(addressOf),
    patterns: unique.filter((name) => name.includes("[")).map(patternOf),
  };
}

function addressOf(name: string): string {
  if (name === "404" || name === "500") return `/${name}.html`;
  const path = name.replace(/(?:^|\/)index$/, "");
  return path === "" ? "/" : `/${path}/`;
}

/** A rest parameter may be empty, and then its folder is not there either. */
function patternOf(name: string): RegExp {
  const parts = addressOf(name)
    .split("/")
    .filter((part) => part !== "")
    .map((part) => {
      if (part.startsWith("[...")) return "(?:/.+)?";
      const words = part.split(/\[\w+\]/).map(RegExp.escape);
      return `/${words.join("[^/]+")}`;
    });
  return new RegExp(`^${parts.join("")}/$`, "u");
}
