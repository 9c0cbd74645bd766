/**
 * The version of a plan: a digest of the sources that its rows are made by. A stored plan of other sources is written anew, so
 * that no hand keeps a number.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Defined in the bundle of a build, whose module is elsewhere (src/commands/astro-integration.ts). */
declare const __PLAN_VERSION__: string | undefined;

/** Folders of `src` whose modules fold names, make slugs, order quotes and digest what pages show. */
const FOLDERS = ["contract", "plan", "util"];

/**
 * @param root the folder `src`, with TypeScript, or with the JavaScript of the package
 * @throws where there are none: without a definition, a bundle would give plans of all sources one version
 */
export function digestOfSources(root: string): string {
  const files = FOLDERS.flatMap((folder) => {
    const names = globSync("**/*.{ts,js,mjs}", { cwd: join(root, folder) });
    return names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`).sort();
  });
  if (files.length === 0) {
    throw new Error(`No sources of the plan in ${root}: define __PLAN_VERSION__`);
  }
  const digest = createHash("sha256");
  for (const file of files) digest.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest("base64url").slice(0, 22);
}

let version: string | undefined;

export function planVersion(): string {
  if (typeof __PLAN_VERSION__ !== "undefined") return __PLAN_VERSION__;
  return (version ??= digestOfSources(fileURLToPath(new URL("..", import.meta.url))));
}
