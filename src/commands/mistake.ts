/** Finds the line of a fork's own file that made a build fail: in `site/`, or in a theme from elsewhere. */
import { existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";

/** A file as stacks, Vite and Astro write it, with its line where they know it: `/site/pages/x.astro:5:1`. */
const PLACE =
  /((?:file:\/\/)?[^\s:()[\]"']*\.(?:astro|mdx?|[cm]?[jt]s|css|json))(?:\?[^\s:]*)?(?::(\d+))?/g;

interface Place {
  readonly file: string;
  readonly line: string | undefined;
}

/**
 * @param error what a build threw
 * @param root the project's folder
 * @param folders of the fork, absolute
 * @returns null where no file of theirs is named: then the failure is not the fork's
 */
export function mistakeIn(
  error: unknown,
  root: string,
  folders: readonly string[],
): ConfigurationError | null {
  if (!(error instanceof Error)) return null;
  const errors = [...failuresIn(error)];
  const places = errors.flatMap((failure) =>
    placesIn(`${failure.stack ?? ""}\n${failure.message}`, root).filter(({ file }) =>
      folders.some((folder) => !relative(folder, file).startsWith("..")),
    ),
  );
  const place = places.find(({ line }) => line !== undefined) ?? places[0];
  if (place === undefined) return null;
  const reason = reasonOf(errors.at(-1) ?? error);
  const line = lineOfImport(place.file, reason) ?? place.line;
  const at = line === undefined ? "" : `:${line}`;
  return new ConfigurationError(`Cannot render ${nameOf(place.file)}${at}: ${reason}`, {
    cause: error,
  });
}

/** The failure, what caused it, and those that a bundler put together; the first cause last. */
function* failuresIn(error: Error): Generator<Error> {
  yield error;
  const { errors = [], cause } = error as { errors?: readonly unknown[]; cause?: unknown };
  for (const inner of [...errors, cause]) if (inner instanceof Error) yield* failuresIn(inner);
}

/** The bundler counts the lines of what Astro made of a file: an import that leads nowhere is looked for in the file itself. */
function lineOfImport(file: string, reason: string): number | undefined {
  const name = /^Could not resolve '(.+?)'/.exec(reason)?.[1];
  if (name === undefined || !existsSync(file)) return undefined;
  const [before = "", after] = readFileSync(file, "utf8").split(name);
  return after === undefined ? undefined : before.split("\n").length;
}

/** Bundlers name a file from the working directory, Astro from the project's folder. */
function placesIn(text: string, root: string): Place[] {
  return [...stripVTControlCharacters(text).matchAll(PLACE)].flatMap(([, name = "", line]) => {
    if (name.startsWith("file://")) return [{ file: fileURLToPath(name), line }];
    return [resolve(name), resolve(root, name)].map((file) => ({ file, line }));
  });
}

/** The first line that says something, without the places and codes around it. */
function reasonOf({ message }: Error): string {
  const lines = stripVTControlCharacters(message).split("\n");
  const said = lines.map((line) => line.replace(/^\[[\w-]+\]\s*/, "").trim());
  return said.find((line) => line !== "") ?? "it failed";
}
