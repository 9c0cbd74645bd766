/**
 * Checks and locks the folders that a command writes to: a build made them or they are empty, they hold no link, and no other
 * command makes a site in them at the same time.
 */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";
import {
  isAtOrAbove,
  refuseFile,
  refuseForeignFolder,
  refuseLinksIn,
  refuseSpecialFiles,
} from "../files/folders.ts";
import { onDisk } from "../files/disk.ts";
import { networkDisk } from "../files/network-disk.ts";
import { hasReport } from "../report/build-json.ts";
import type { Settings } from "../settings/settings.ts";
import { takeLock, takeOutputLock } from "../snapshot/index.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";
import { log } from "./program.ts";

/** Astro and Vite use some paths as addresses, as patterns or as source text: with these characters they find no module. */
const LOST_IN_PATHS = /[#?%"*]/;

export type Writes = "nothing" | "state" | "site";

/** Each of these shows that a run made the state. */
const STATE_FILES = ["lock", "site.lock", "work.sqlite", "current", "night.json"];

/**
 * Calls `work` while it may write to the folders.
 *
 * @throws {ConfigurationError} when no build made a folder, or Astro cannot use it
 * @throws {DiskError} when an entry of a folder is a link
 * @throws {StateInUse} when another run makes a site of the same state, or in the same folder
 */
export async function withOwnFolders<T>(
  settings: Settings,
  writes: Writes,
  work: () => Promise<T>,
): Promise<T> {
  const { stateDir, outDir, adopt } = settings;
  if (writes === "nothing") {
    refuseFile("--state", stateDir);
    if (existsSync(stateDir)) refuseSpecialFiles(stateDir);
    return work();
  }
  refuseForeignFolder({
    ...{ option: "--state", folder: stateDir, root: PROJECT_ROOT, adopt },
    isOurs: (folder) =>
      STATE_FILES.some((name) => existsSync(join(folder, name))) || holdsOnlyCaches(folder),
  });
  if (existsSync(stateDir)) {
    refuseLinksIn(stateDir);
    refuseSpecialFiles(stateDir);
  }
  const kind = networkDisk(stateDir);
  if (kind !== null && !settings.output.quiet) {
    log(
      `The state ${stateDir} is on ${kind}: locks may not hold there, and files may be damaged; ` +
        "keep it on a local disk (docs/operating.md)",
    );
  }
  if (writes === "state") return work();
  refuseForeignOutput(settings);
  const real = existsSync(outDir) ? realpathSync(outDir) : outDir;
  const lost = [PROJECT_ROOT, PACKAGE_ROOT, real].find((path) => LOST_IN_PATHS.test(path));
  if (lost !== undefined) {
    throw new ConfigurationError(
      `Cannot render in ${lost}: Astro cannot use a path with #, ?, %, " or *; choose another folder`,
    );
  }
  using _lock = takeLock(stateDir, "site");
  using _output = takeOutputLock(real);
  return await work();
}

/** What `astro sync`, `npm run check` and an editor make in the state before the first run. */
function holdsOnlyCaches(folder: string): boolean {
  const namesIn = (path: string): string[] => onDisk("read", path, () => readdirSync(path));
  const cache = join(folder, "cache");
  return (
    namesIn(folder).every((name) => name === "cache") &&
    statSync(cache).isDirectory() &&
    namesIn(cache).every((name) => name === "astro" || name === "vite")
  );
}

/** Refuses an output folder that no build made, one that holds the state, and one with links to folders. */
export function refuseForeignOutput({ outDir, stateDir, adopt }: Settings): void {
  refuseForeignFolder({
    option: "--out",
    folder: outDir,
    root: PROJECT_ROOT,
    adopt,
    isOurs: hasReport,
  });
  if (isAtOrAbove(outDir, stateDir)) {
    throw new ConfigurationError(
      `Cannot use --out ${outDir}: the state ${stateDir} lies in it, and would be published; name another folder`,
    );
  }
  if (existsSync(outDir)) refuseLinksIn(outDir, "folders");
}
