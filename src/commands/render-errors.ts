/**
 * Explains why a build failed: a refusal that Vite or Astro wrapped, a disk that refused, or a mistake in a file of the fork,
 * in `site/` or in a theme from elsewhere, with its line.
 */
import { existsSync, globSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ConfigurationError, DiskError, errorOf, failureOf, Refusal } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { readSheet } from "../themes/colours.ts";

/** The file system's refusals, by their codes; anything else is a bug. */
const REFUSED = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENAMETOOLONG|ENFILE|ENOSPC|ENOTDIR|EPERM|EROFS)$/;
/** The same in the bundler's words. */
const REFUSED_IN_RUST = /\(os error (?:28|30|122)\)/;

/** A file as stacks, Vite and Astro write it, with its line where they know it: `/site/pages/x.astro:5:1`. */
const PLACE =
  /((?:file:\/\/)?[^\s:()[\]"'][^\s:()"']*\.(?:astro|mdx?|json|[cm]?[jt]s|s?css|sass|less))(?:\?[^\s:]*)?(?::(\d+))?/g;

/**
 * @param error what a build threw
 * @param root the project's folder
 * @param folders of the fork, absolute
 * @returns the error itself where nothing explains it: then it is a bug
 */
export function explainFailure(error: unknown, root: string, folders: readonly string[]): unknown {
  if (!(error instanceof Error)) return error;
  const errors = [...failuresIn(error)];
  const refusal = errors
    // A page has classes of its own, those of the bundle.
    .map((failure) => (failure instanceof Refusal ? failure : errorOf(failureOf(failure))))
    .find((failure) => failure instanceof Refusal);
  // The bundler names a file behind a link by its real path.
  const real = folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder));
  const all = [...new Set([...folders, ...real])];
  return refusal ?? diskErrorIn(errors) ?? findMistake(errors, root, all) ?? error;
}

/** The failure, its causes, and those that a bundler put together; the first cause last. */
function* failuresIn(error: Error): Generator<Error> {
  yield error;
  const { errors = [], cause } = error as { errors?: readonly unknown[]; cause?: unknown };
  for (const inner of [...errors, cause]) if (inner instanceof Error) yield* failuresIn(inner);
}

function diskErrorIn(errors: readonly Error[]): DiskError | undefined {
  for (const cause of errors) {
    const { code = "", path = "the output folder" } = cause as NodeJS.ErrnoException;
    if (REFUSED.test(code)) return new DiskError(`Cannot write ${path}: ${code}`, { cause });
    const [full] = REFUSED_IN_RUST.exec(cause.message) ?? [];
    if (full !== undefined) return new DiskError(`Cannot write the bundle: ${full}`, { cause });
  }
  return undefined;
}

/** Undefined where no file of the fork is named, and it is none of Astro's own errors. */
function findMistake(
  errors: readonly Error[],
  root: string,
  folders: readonly string[],
): ConfigurationError | undefined {
  const places = errors.flatMap((failure) =>
    placesIn(`${locationOf(failure)}\n${failure.stack ?? ""}\n${failure.message}`, root).filter(
      ({ file }) => folders.some((folder) => !relative(folder, file).startsWith("..")),
    ),
  );
  const place = places.find(({ line }) => line !== undefined) ?? places[0];
  const cause = errors.at(-1);
  if (cause === undefined) return undefined;
  // The first line that says something, without the places and codes around it; of a schema, what it misses.
  const { issues: [issue] = [] } = cause as { issues?: readonly { message: string }[] };
  const lines = stripVTControlCharacters(issue?.message ?? cause.message).split("\n");
  const said = lines.map((line) =>
    line.replace(/^\[[\w-]+\]:?\s*|^Parse failure: .*:$|\*\*/g, "").trim(),
  );
  const words = said.filter((line) => line !== "");
  const goesOn = words[0]?.endsWith(":") ?? false;
  const isLong = goesOn || issue !== undefined || cause.name === "InvalidContentEntryDataError";
  const reason = words.slice(0, isLong ? 3 : 1).join(" ") || "it failed";
  if (place === undefined) {
    // The bundler minifies the sheets of a page as one, and names no file.
    if (reason.includes("[lightningcss minify]")) folders.forEach(readSheets);
    // Nor does it where it reads the data of a page.
    if (reason.includes("[builtin:vite-json]")) folders.forEach(readData);
    // Nor does Astro where `getStaticPaths` leaves a parameter out, and where a page needs a server.
    const pages = folders.flatMap((at) => pagesBehind(reason, at));
    const isMistake = issue !== undefined || pages.length > 0 || errors.some(isOfAstro);
    const at = ["Cannot render", pages.join(" or ")].join(" ").trim();
    return isMistake ? new ConfigurationError(`${at}: ${reason}`, { cause }) : undefined;
  }
  const line = lineOfImport(place.file, reason) ?? place.line;
  const at = line === undefined ? "" : `:${line}`;
  const message = `Cannot render ${nameOf(place.file)}${at}: ${reason}`;
  return new ConfigurationError(message, { cause });
}

/** Whether Astro, its settings or a plugin for sheets say what a project does wrong. */
function isOfAstro(failure: Error): boolean {
  const { type, plugin } = failure as { type?: unknown; plugin?: unknown };
  const [, first = ""] = failure.stack?.split(/\n\s+at /) ?? [];
  return (
    type === "AstroError" ||
    plugin === "vite:css" ||
    /\/astro\/dist\/(?:core\/config|content\/loaders)\//.test(first)
  );
}

/** The files of pages that a reason speaks of without a name. */
function pagesBehind(reason: string, folder: string): string[] {
  const [, parameter] = /^Missing parameter: (.+)$/.exec(reason) ?? [];
  const needsServer = reason.includes("server-rendered pages without an adapter");
  return globSync("pages/**/*.{astro,md,mdx,js,ts}", { cwd: folder })
    .map((name) => join(folder, name))
    .filter(
      (file) =>
        (parameter !== undefined && file.includes(`[${parameter}]`)) ||
        (needsServer && /\bprerender\s*=\s*false/.test(readFileSync(file, "utf8"))),
    )
    .map(nameOf);
}

/** @throws {ConfigurationError} for the first sheet that is no CSS */
function readSheets(folder: string): void {
  for (const file of globSync("**/*.css", { cwd: folder })) readSheet(join(folder, file));
}

/** @throws {ConfigurationError} for the first file that is no JSON */
function readData(folder: string): void {
  for (const file of globSync("**/*.json", { cwd: folder }).map((name) => join(folder, name))) {
    try {
      JSON.parse(readFileSync(file, "utf8"));
    } catch (cause) {
      throw new ConfigurationError(`Cannot read ${nameOf(file)}: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
}

/** Where Astro says apart from its message that the mistake is. */
function locationOf(failure: Error): string {
  const { file = "", line = 0 } = (failure as { loc?: { file?: string; line?: number } }).loc ?? {};
  return line > 0 ? `${file}:${line}` : file;
}

/** The bundler counts the lines of the compiled file, so an import without a target is searched in the file itself. */
function lineOfImport(file: string, reason: string): number | undefined {
  const name = /^(?:Could not|Rolldown failed to) resolve (?:import )?['"](.+?)['"]/.exec(
    reason,
  )?.[1];
  if (name === undefined || !existsSync(file)) return undefined;
  const [before = "", after] = readFileSync(file, "utf8").split(name);
  return after === undefined ? undefined : before.split("\n").length;
}

/** Bundlers name a file from the working directory, Astro from the project's folder. */
function placesIn(text: string, root: string) {
  return [...stripVTControlCharacters(text).matchAll(PLACE)].flatMap(([, name = "", line]) => {
    if (name.startsWith("file://")) return [{ file: fileURLToPath(name), line }];
    return [resolve(name), resolve(root, name)].map((file) => ({ file, line }));
  });
}
