/**
 * Folders below a root that we write to or delete from, none of which may be a link: behind a link lies a folder that is
 * not ours. The root itself may be one; the user named it. And which root a command may write a site or a state to: one that
 * is empty or ours, and never one that holds much more than a site.
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

/** Checks and makes folders; each is looked at once in the life of an instance. */
export class Folders {
  readonly root: string;
  readonly #checked = new Set<string>();

  constructor(root: string) {
    this.root = root;
  }

  /**
   * Makes a folder and those above it. Another thread may make the same one at the same time.
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
      if (!done(path, () => mkdirSync(path), EXISTS)) this.check(folder);
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
    const there = onDisk("use", path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (there === undefined) return false;
    if (there.isSymbolicLink()) throw linkError(path);
    if (!there.isDirectory())
      throw new DiskError(`Cannot use ${path}: it is not a folder; remove it`);
    this.#checked.add(folder);
    return true;
  }

  /**
   * Removes a file or a link, and the folders above it that are empty then. What a link leads to stays.
   *
   * @param file path from the root, with slashes
   * @returns whether there was one
   * @throws {DiskError} when a folder above it is a link, or it cannot be removed
   */
  removeFile(file: string): boolean {
    if (!this.check(dirname(file))) return false;
    const path = join(this.root, file);
    if (!done(path, () => unlinkSync(path), MISSING)) return false;
    const kept = [...MISSING, ...EXISTS, "ENOTEMPTY"];
    for (let folder = dirname(file); !isRoot(folder); folder = dirname(folder)) {
      const above = join(this.root, folder);
      if (!done(above, () => rmdirSync(above), kept)) break;
      this.#checked.delete(folder);
    }
    return true;
  }
}

/**
 * Refuses a folder in which an entry is a link: what we write there under a fixed name would go to where it leads.
 *
 * @param to "folders" for links to folders alone, where files are replaced and never written through
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
 * Makes a folder that no other user can write to or read, for programs that are run from it.
 *
 * @throws {DiskError} when it cannot be made, or another user could have written to it
 */
export function makePrivateFolder(path: string): void {
  onDisk("write", path, () => {
    makeFolder(dirname(path));
    // Another process may make it at the same moment.
    mkdirSync(path, { mode: 0o700, recursive: true });
  });
  const there = onDisk("use", path, () => lstatSync(path));
  if (!there.isDirectory()) throw linkError(path);
  // Windows has neither users nor modes that Node could name.
  const user = process.getuid?.();
  if (user !== undefined && (there.uid !== user || (there.mode & 0o077) !== 0)) {
    throw new DiskError(`Cannot use ${path}: other users may have written to it; remove it`);
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

/** @returns false when it failed with one of the codes of `expected` */
function done(path: string, work: () => void, expected: readonly string[]): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && expected.includes(String(error.code)))
      return false;
    throw asDiskError("write", path, error);
  }
}

/** Marks an output folder as one that a build made, until its first `build.json` does. */
export const BUILD_MARKER = "build.json.unfinished";

export const REPORT_FILE = "build.json";
/** The report of the build before, while a build changes the site. */
export const REPORT_ASIDE = "build.json.before";

/** The names under which the report may lie in a site; none of them counts as a file of the site. */
export const REPORT_FILES: ReadonlySet<string> = new Set([REPORT_FILE, REPORT_ASIDE, BUILD_MARKER]);

export interface Claim {
  /** As the user writes it, such as `--out`. */
  readonly option: string;
  /** Absolute. */
  readonly folder: string;
  /** The project's own folder, absolute. */
  readonly root: string;
  /** Whether what lies in the folder shows that a build made it. */
  readonly isOurs: (folder: string) => boolean;
  /** Takes over a folder that is neither empty nor ours. */
  readonly adopt: boolean;
}

/**
 * @throws {ConfigurationError} when the folder is neither empty nor ours and is not adopted, or is `/`, the home folder, the
 *   project or a folder above one of these
 */
export function refuseForeignFolder({ option, folder, root, isOurs, adopt }: Claim): void {
  const real = realPath(folder);
  const kept = [
    { path: parse(real).root, what: "the root of the file system" },
    { path: realPath(root), what: "the project" },
    ...homeFolder().map((path) => ({ path: realPath(path), what: "your home folder" })),
  ];
  const held = kept.find(({ path }) => isAtOrAbove(real, path));
  if (held !== undefined) {
    const reason = `it ${real === held.path ? "is" : "holds"} ${held.what}`;
    throw new ConfigurationError(`Cannot use ${option} ${folder}: ${reason}; name another folder`);
  }
  if (adopt || !existsSync(real)) return;
  const entries = onDisk("read", real, () => readdirSync(real));
  if (entries.length === 0 || isOurs(real)) return;
  throw new ConfigurationError(
    `Cannot use ${option} ${folder}: no build made what it holds, such as ${JSON.stringify(entries.sort()[0])}; ` +
      "name an empty folder, or take this one over with --adopt",
  );
}

/** Whether `other` is the folder or lies in it. */
export function isAtOrAbove(folder: string, other: string): boolean {
  const way = relative(folder, other);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** None for a user that the system has no entry of and that sets no HOME, as in some containers. */
function homeFolder(): string[] {
  try {
    return [homedir()];
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return [];
    throw error;
  }
}

/** Links resolved as far as the path exists and may be read. */
function realPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync.native(full);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const above = dirname(full);
    return error.code !== "ENOENT" || above === full ? full : join(realPath(above), basename(full));
  }
}
