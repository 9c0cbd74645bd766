/**
 * Overrides: files of `site/` and of themes that stand in for components and layouts of Commonplace at the same path below `src`.
 *
 * A folder with such files is a layer. `src` is the last layer.
 */
import { existsSync } from "node:fs";
import nodePath from "node:path";
import { MOVED_COMPONENTS, type Moved } from "../settings/moved.ts";

/** Folders of `src` whose files may be overridden. */
export const MIRRORED = ["components", "layouts"];

/** Folders of a layer whose files may be copies of those of `src`. */
const COPIED = [...MIRRORED, "pages"];

interface System {
  readonly exists: (file: string) => boolean;
  readonly path: Pick<typeof nodePath, "join" | "relative" | "sep">;
  readonly moved: Readonly<Record<string, Moved>>;
}

export const slashes = (file: string): string => file.replaceAll("\\", "/");

/** The path of a file from the layer that it lies in; undefined where it lies in none of these folders of a layer. */
function insideOf(
  file: string,
  layers: readonly string[],
  folders: readonly string[],
  path: System["path"],
): string | undefined {
  return layers
    .map((layer) => path.relative(layer, file))
    .find((name) => folders.includes(name.split(path.sep)[0] ?? ""));
}

/**
 * Finds the override of a file. An override at a path from which the file moved counts too.
 *
 * @param importer file with the import: an override that imports its own path gets the file that it replaces
 * @param layers absolute paths that mirror `src`: the first wins, and the last is `src` itself
 * @param system path rules of another operating system, for tests
 * @returns path with slashes, as Vite has it; null where the file has no override
 */
export function overrideOf(
  file: string,
  importer: string,
  layers: readonly string[],
  { exists = existsSync, path = nodePath, moved = MOVED_COMPONENTS }: Partial<System> = {},
): string | null {
  const same = (a: string, b: string): boolean => path.relative(a, b) === "";
  const inside = insideOf(file, layers, MIRRORED, path);
  if (inside === undefined) return null;
  const old = Object.keys(moved).filter((name) => moved[name]?.to === slashes(inside));
  const candidates = layers
    .flatMap((layer) => [inside, ...old].map((name) => path.join(layer, name)))
    .filter((name) => exists(name));
  const found = candidates[candidates.findIndex((name) => same(name, importer)) + 1];
  return found === undefined || same(found, file) ? null : slashes(found);
}

/**
 * Where an import of a copied file leads that does not resolve beside the copy: beside the original.
 *
 * @param source relative, such as `../../site/index.ts`
 * @returns paths to try, in order: a copy of a published file names modules as JavaScript, and one of the repository as
 *   TypeScript; none where the importer is no copy
 */
export function besideOriginal(
  source: string,
  importer: string,
  layers: readonly string[],
): string[] {
  const src = layers.at(-1);
  const inside = insideOf(importer, layers.slice(0, -1), COPIED, nodePath);
  if (src === undefined || inside === undefined || !source.startsWith(".")) return [];
  const file = nodePath.join(src, nodePath.dirname(inside), source);
  return [file, file.replace(/\.ts$/, ".js"), file.replace(/\.js$/, ".ts")];
}
