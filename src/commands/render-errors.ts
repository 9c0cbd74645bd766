/**
 * Explains why Astro's build failed: a refusal that Vite or Astro wrapped, a disk error, or a mistake in a file of the fork,
 * with its line.
 */
import { existsSync, globSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ConfigurationError, DiskError, errorOf, failureOf, Refusal } from "../contract/errors.ts";
import { explainCode } from "../files/disk.ts";
import { nameOf } from "../files/name-of.ts";
import { parseJsonFile } from "../settings/site-config.ts";
import { readSheet } from "../themes/colours.ts";

/** Codes of file system errors that are no bugs. */
const DISK_ERROR =
  /^(?:EACCES|EBUSY|EDQUOT|EEXIST|EIO|EMFILE|ENAMETOOLONG|ENFILE|ENOSPC|ENOTDIR|ENOTEMPTY|ENOTSUP|EPERM|EROFS)$/;
/** The same errors in messages of the bundler. */
const DISK_ERROR_IN_RUST = /\(os error (?:28|30|122)\)/;

/** A file in a stack or a message of Vite or Astro, with its line where it is known: `/site/pages/x.astro:5:1`. */
const PLACE =
  /((?:file:\/\/)?[^\s:()[\]"'][^\s:()"']*\.(?:astro|mdx?|json|[cm]?[jt]s|s?css|sass|less))(?:\?[^\s:]*)?(?::(\d+))?/g;

/**
 * @param root folder of the project
 * @param folders absolute paths of the fork's files and folders
 * @returns the error to throw: `error` itself where it is a bug
 */
export function explainFailure(error: unknown, root: string, folders: readonly string[]): unknown {
  if (!(error instanceof Error)) return error;
  const errors = [...failuresIn(error)];
  const refusal = errors
    // In a page, a refusal is an instance of a class of the bundle.
    .map((failure) => (failure instanceof Refusal ? failure : errorOf(failureOf(failure))))
    .find((failure) => failure instanceof Refusal);
  // The bundler names a file behind a link by its real path.
  const real = folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder));
  const all = [...new Set([...folders, ...real])];
  return refusal ?? diskErrorIn(errors) ?? findMistake(errors, root, all) ?? error;
}

/** The failure, its causes and the failures that a bundler collected; the root cause is the last. */
function* failuresIn(error: Error): Generator<Error> {
  yield error;
  const { errors = [], cause } = error as { errors?: readonly unknown[]; cause?: unknown };
  for (const inner of [...errors, cause]) if (inner instanceof Error) yield* failuresIn(inner);
}

function diskErrorIn(errors: readonly Error[]): DiskError | undefined {
  for (const cause of errors) {
    const { code = "", path = "the output folder" } = cause as NodeJS.ErrnoException;
    if (DISK_ERROR.test(code))
      return new DiskError(`Cannot write ${path}: ${explainCode(code)}`, { cause });
    const [full] = DISK_ERROR_IN_RUST.exec(cause.message) ?? [];
    if (full !== undefined) return new DiskError(`Cannot write the bundle: ${full}`, { cause });
  }
  return undefined;
}

/** Undefined where the errors name no file of the fork and do not come from Astro. */
function findMistake(
  errors: readonly Error[],
  root: string,
  folders: readonly string[],
): ConfigurationError | undefined {
  const cause = errors.at(-1);
  if (cause === undefined) return undefined;
  const places = errors.flatMap((failure) =>
    placesIn(`${locationOf(failure)}\n${failure.stack ?? ""}\n${failure.message}`, root).filter(
      ({ file }) => folders.some((folder) => !relative(folder, file).startsWith("..")),
    ),
  );
  const place = places.find(({ line }) => line !== undefined) ?? places[0];
  const reason = reasonOf(cause);
  if (place !== undefined) {
    const line = lineOfImport(place.file, reason) ?? place.line;
    const at = line === undefined ? "" : `:${line}`;
    const message = `Cannot render ${nameOf(place.file)}${at}: ${reason}`;
    return new ConfigurationError(message, { cause });
  }
  // The bundler names no file of data, and no style sheet, since it minifies all of a page together.
  if (reason.includes("[lightningcss minify]")) folders.forEach(readSheets);
  if (reason.includes("[builtin:vite-json]")) folders.forEach(readData);
  const pages = folders.flatMap((folder) => pagesBehind(reason, folder));
  if (pages.length === 0 && !("issues" in cause) && !errors.some(isOfAstro)) return undefined;
  const what = ["Cannot render", pages.join(" or ")].join(" ").trim();
  return new ConfigurationError(`${what}: ${reason}`, { cause });
}

/** The first line of a message with content, or the first issue of a schema, without places and codes. */
function reasonOf(failure: Error): string {
  const { issues: [issue] = [] } = failure as { issues?: readonly { message: string }[] };
  const lines = stripVTControlCharacters(issue?.message ?? failure.message)
    .split("\n")
    .map((line) => line.replace(/^\[[\w-]+\]:?\s*|^Parse failure: .*:$|\*\*/g, "").trim())
    .filter((line) => line !== "");
  const isLong =
    lines[0]?.endsWith(":") ||
    issue !== undefined ||
    failure.name === "InvalidContentEntryDataError";
  return lines.slice(0, isLong ? 3 : 1).join(" ") || "it failed";
}

/** Whether the failure is one that Astro or its CSS plugin reports for a mistake of the project. */
function isOfAstro(failure: Error): boolean {
  const { type, plugin } = failure as { type?: unknown; plugin?: unknown };
  const [, first = ""] = failure.stack?.split(/\n\s+at /) ?? [];
  return (
    type === "AstroError" ||
    plugin === "vite:css" ||
    /\/astro\/dist\/(?:core\/config|content\/loaders)\//.test(first)
  );
}

/** Pages that Astro means in a message without a file: a parameter is missing, or the page needs a server. */
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

/** @throws {ConfigurationError} for the first sheet with invalid CSS */
function readSheets(folder: string): void {
  for (const file of globSync("**/*.css", { cwd: folder })) readSheet(join(folder, file));
}

/** @throws {ConfigurationError} for the first file with invalid JSON */
function readData(folder: string): void {
  for (const name of globSync("**/*.json", { cwd: folder })) {
    const file = join(folder, name);
    parseJsonFile({ name: nameOf(file), text: readFileSync(file, "utf8") });
  }
}

/** The location that Astro adds to an error. */
function locationOf(failure: Error): string {
  const { file = "", line = 0 } = (failure as { loc?: { file?: string; line?: number } }).loc ?? {};
  return line > 0 ? `${file}:${line}` : file;
}

/** The line of an import that was not found: the bundler reports the line of the compiled file. */
function lineOfImport(file: string, reason: string): number | undefined {
  const name = /^(?:Could not|Rolldown failed to) resolve (?:import )?['"](.+?)['"]/.exec(
    reason,
  )?.[1];
  if (name === undefined || !existsSync(file)) return undefined;
  const [before = "", after] = readFileSync(file, "utf8").split(name);
  return after === undefined ? undefined : before.split("\n").length;
}

/** Bundlers name files relative to the working directory, Astro relative to the project. */
function placesIn(text: string, root: string) {
  return [...stripVTControlCharacters(text).matchAll(PLACE)].flatMap(([, name = "", line]) => {
    if (name.startsWith("file://")) return [{ file: fileURLToPath(name), line }];
    return [resolve(name), resolve(root, name)].map((file) => ({ file, line }));
  });
}
