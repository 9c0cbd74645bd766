/**
 * Which folders a command may write a site or a state to: one that is empty or ours, and never one that holds much more
 * than a site.
 */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";
import { onDisk } from "./disk.ts";

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
