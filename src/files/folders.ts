/**
 * Guards the folders that commands write to or delete from.
 *
 * Below a root no folder may be a link, which may lead to foreign files; the root itself may be one, since the user named
 * it. The root of a site or a state must be empty or made by a build, and must not contain the project or the home folder.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  type Dirent,
  realpathSync,
} from "node:fs";
import { dirname, join, basename, isAbsolute, parse, relative, resolve, sep } from "node:path";
import { homedir } from "node:os";
import { DiskError, ConfigurationError } from "../contract/errors.ts";
import { asDiskError, makeFolder, onDisk } from "./disk.ts";
import { statOf } from "./walk.ts";

const MISSING = ["ENOENT", "ENOTDIR"];
const EXISTS = ["EEXIST"];

/** Checks and makes folders below a root, each of them once. */
export class Folders {
  readonly root: string;
  readonly #checked = new Set<string>();

  constructor(root: string) {
    this.root = root;
  }

  /**
   * Makes a folder and its parents; another thread may make the same one at the same time.
   *
   * @param folder path from the root, with slashes; "." and "" are the root
   * @throws {DiskError} when one of them is a link, is a file or cannot be made
   */
  make(folder: string): void {
    if (this.#checked.has(folder)) return;
    const path = join(this.root, folder);
    if (isRoot(folder)) {
      makeFolder(path);
    } else {
      this.make(dirname(folder));
      if (!tryChange(path, () => mkdirSync(path), EXISTS)) this.check(folder);
    }
    this.#checked.add(folder);
  }

  /**
   * Whether a folder exists.
   *
   * @throws {DiskError} when it, or a folder above it, is a link or a file
   */
  check(folder: string): boolean {
    if (isRoot(folder) || this.#checked.has(folder)) return true;
    if (!this.check(dirname(folder))) return false;
    const path = join(this.root, folder);
    const stats = onDisk("use", path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (stats === undefined) return false;
    if (stats.isSymbolicLink()) throw linkError(path);
    if (!stats.isDirectory())
      throw new DiskError(`Cannot use ${path}: it is not a folder; remove it`);
    this.#checked.add(folder);
    return true;
  }

  /**
   * Removes a file or a link, not the target of a link, and each parent folder that is empty then.
   *
   * @param file path from the root, with slashes
   * @returns whether it existed
   * @throws {DiskError} when a folder above it is a link, or it cannot be removed
   */
  removeFile(file: string): boolean {
    if (!this.check(dirname(file))) return false;
    const path = join(this.root, file);
    if (!tryChange(path, () => unlinkSync(path), MISSING)) return false;
    const expected = [...MISSING, ...EXISTS, "ENOTEMPTY"];
    for (let folder = dirname(file); !isRoot(folder); folder = dirname(folder)) {
      const parent = join(this.root, folder);
      if (!tryChange(parent, () => rmdirSync(parent), expected)) break;
      this.#checked.delete(folder);
    }
    return true;
  }
}

/**
 * Refuses a folder that contains a link: a write to a fixed name in it would follow the link.
 *
 * @param to "folders" refuses only links to folders, for a folder whose files are always replaced
 * @throws {DiskError} naming the first link
 */
export function refuseLinksIn(folder: string, to: "anything" | "folders" = "anything"): void {
  const entries = onDisk("read", folder, () => readdirSync(folder, { withFileTypes: true }));
  const leadsOut = ({ name }: Dirent): boolean =>
    to === "anything" || (statOf(join(folder, name))?.isDirectory() ?? false);
  const link = entries.find((entry) => entry.isSymbolicLink() && leadsOut(entry));
  if (link !== undefined) throw linkError(join(folder, link.name));
}

/**
 * Refuses a folder that contains a pipe, a socket or a device, at any depth: to read one may never end.
 *
 * @throws {DiskError} naming the first
 */
export function refuseSpecialFiles(folder: string): void {
  const entries = onDisk("read", folder, () => readdirSync(folder, { withFileTypes: true }));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) refuseSpecialFiles(path);
    else if (!entry.isFile() && !entry.isSymbolicLink()) {
      throw new DiskError(`Cannot use ${path}: it is neither a file nor a folder; remove it`);
    }
  }
}

function linkError(path: string): DiskError {
  return new DiskError(
    `Cannot use ${path}: it is a link; remove it, or name the folder it leads to`,
  );
}

function isRoot(folder: string): boolean {
  return folder === "." || folder === "";
}

/** @returns false when `work` failed with one of the expected codes */
function tryChange(path: string, work: () => void, expected: readonly string[]): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && expected.includes(String(error.code)))
      return false;
    throw asDiskError("write", path, error);
  }
}

/** Marks an output folder as made by a build, until its first `build.json` is written. */
export const BUILD_MARKER = "build.json.unfinished";

export const REPORT_FILE = "build.json";
/** Report of the previous build, while a build changes the site. */
export const REPORT_ASIDE = "build.json.before";

/** Names that the report may have in a site; none of them counts as a file of the site. */
export const REPORT_FILES: ReadonlySet<string> = new Set([REPORT_FILE, REPORT_ASIDE, BUILD_MARKER]);

/** Whether a command is changing the site of a folder, or was killed while it did. */
export function isChanging(outDir: string): boolean {
  return [REPORT_ASIDE, BUILD_MARKER].some((name) => existsSync(join(outDir, name)));
}

export interface Claim {
  /** Option that names the folder, such as `--out`. */
  readonly option: string;
  /** Absolute. */
  readonly folder: string;
  /** The project's own folder, absolute. */
  readonly root: string;
  /** Whether the content of a folder shows that a build made it. */
  readonly isOurs: (folder: string) => boolean;
  /** Takes over a folder that is neither empty nor made by a build. */
  readonly adopt: boolean;
}

/** @throws {ConfigurationError} when a folder, or one above it, is a file */
export function refuseFile(option: string, folder: string): void {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const isFolder = statOf(at)?.isDirectory();
    if (isFolder === true) return;
    if (isFolder === undefined) continue;
    const what = at === folder ? "it" : at;
    throw new ConfigurationError(
      `Cannot use ${option} ${folder}: ${what} is a file; name a folder`,
    );
  }
}

/**
 * @throws {ConfigurationError} when the folder is a file; when it is neither empty, made by a build nor adopted; or when
 *   it is or contains the root of the file system, the home folder or the project
 */
export function refuseForeignFolder({ option, folder, root, isOurs, adopt }: Claim): void {
  const real = realPath(folder);
  const forbidden = [
    { path: parse(real).root, what: "the root of the file system" },
    { path: realPath(root), what: "the project" },
    ...homeFolder().map((path) => ({ path: realPath(path), what: "your home folder" })),
  ];
  const found = forbidden.find(({ path }) => isAtOrAbove(real, path));
  if (found !== undefined) {
    const reason = `it ${real === found.path ? "is" : "contains"} ${found.what}`;
    throw new ConfigurationError(`Cannot use ${option} ${folder}: ${reason}; name another folder`);
  }
  refuseFile(option, folder);
  if (adopt || !existsSync(real)) return;
  const entries = onDisk("read", real, () => readdirSync(real));
  if (entries.length === 0 || isOurs(real)) return;
  throw new ConfigurationError(
    `Cannot use ${option} ${folder}: it contains files that no build made, such as ${JSON.stringify(entries.sort()[0])}; ` +
      "name an empty folder, or take this one over with --adopt",
  );
}

/** Whether `other` is the folder or is inside it. */
export function isAtOrAbove(folder: string, other: string): boolean {
  const path = relative(folder, other);
  return path === "" || !(path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path));
}

/** Empty for a user without a system entry and without HOME, as in some containers. */
function homeFolder(): string[] {
  try {
    return [homedir()];
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return [];
    throw error;
  }
}

/** Resolves links as far as the path exists and is readable. */
function realPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync.native(full);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const parent = dirname(full);
    const isEnd = error.code !== "ENOENT" || parent === full;
    return isEnd ? full : join(realPath(parent), basename(full));
  }
}
