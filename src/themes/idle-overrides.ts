/** Overrides that replace nothing, because they are misspelt, or a version moved what they replaced. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { distance } from "fastest-levenshtein";
import { nameOf } from "../files/name-of.ts";
import { MOVED_COMPONENTS, movedTo } from "../settings/moved.ts";
import { COMPONENTS } from "./components.ts";
import { MIRRORED, slashes } from "./overrides.ts";

const ENDING = ".astro";

/** Files that may import a component of the site's own. */
const IMPORTERS = "**/*.{astro,md,mdx,ts,tsx,js,jsx,mjs,vue,svelte}";

/**
 * @param layers folders of the site and of its themes
 * @param sources folders of the project whose files may import one of the overrides
 * @param src the folder of Commonplace with the components
 * @returns a line for each override that replaces nothing and that no other file imports
 */
export function idleOverrides(
  layers: readonly string[],
  sources: readonly string[],
  src: string,
): string[] {
  const found = layers.flatMap((layer) =>
    globSync(`{${MIRRORED.join()}}/**/*${ENDING}`, { cwd: layer })
      .filter((inside) => !existsSync(join(src, inside)))
      .map((inside) => ({ file: join(layer, inside), inside: slashes(inside) })),
  );
  if (found.length === 0) return [];
  const files = new Set([...layers, ...sources].flatMap((folder) => filesIn(folder)));
  const texts = Array.from(files, (file) => ({ file, text: readFileSync(file, "utf8") }));
  return found
    .filter(
      ({ file, inside }) =>
        Object.hasOwn(MOVED_COMPONENTS, inside) ||
        !texts.some((other) => other.file !== file && imports(other, file, inside)),
    )
    .map(({ file, inside }) => `${nameOf(file)} replaces nothing: ${whereTo(inside)}`);
}

/** Whether a text has an import of the file: by a relative path, by its public name, or by an alias of the project's own. */
function imports(from: { file: string; text: string }, file: string, inside: string): boolean {
  const path = new RegExp(`["']([^"'\n]*${RegExp.escape(basename(file))})["']`, "g");
  return [...from.text.matchAll(path)].some(([, source = ""]) => {
    if (source.startsWith(".")) return join(dirname(from.file), source) === file;
    return !/^(?:astro-)?commonplace\//.test(source) || source.endsWith(`/${inside}`);
  });
}

const filesIn = (folder: string): string[] =>
  globSync(IMPORTERS, { cwd: folder, exclude: ["**/node_modules/**"] }).map((file) =>
    join(folder, file),
  );

/** Says where a path leads that is none of a component, as the end of a sentence. */
export function whereTo(inside: string): string {
  const moved = MOVED_COMPONENTS[inside];
  if (moved !== undefined) return movedTo(moved);
  const nearest = nearestComponent(inside.slice(0, -ENDING.length));
  return nearest === null
    ? "there is no such component; docs/components.md lists them"
    : `there is no such component; did you mean ${nearest}${ENDING}?`;
}

/** One with the same name in another folder, or else one whose path differs in a few letters. */
function nearestComponent(path: string): string | null {
  const known = Object.keys(COMPONENTS);
  const name = basename(path).toLowerCase();
  const namesake = known.find((other) => basename(other).toLowerCase() === name);
  if (namesake !== undefined) return namesake;
  const steps = (other: string): number => distance(path.toLowerCase(), other.toLowerCase());
  const [nearest] = known
    .filter((other) => distance(name, basename(other).toLowerCase()) <= 3)
    .sort((a, b) => steps(a) - steps(b));
  return nearest ?? null;
}
