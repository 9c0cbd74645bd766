/**
 * Finds a folder for programs and compiled code that are kept between runs: one for each user and each checkout.
 *
 * Node and the system run what they find there, so only this user may be able to write it. A folder in the checkout does not
 * serve: another user may own it, as the user of the builds does, and root would run what that user has put there. This file is
 * JavaScript because the compile cache needs it before TypeScript can be loaded cheaply.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Makes `$XDG_CACHE_HOME/commonplace/<checkout>/<name>`, by default below `~/.cache`.
 *
 * @param {string} name
 * @returns {string | null} the real path; null where it cannot be made, or another user may write to it or to a folder above
 */
export function privateCache(name) {
  const checkout = createHash("sha256").update(CHECKOUT).digest("hex").slice(0, 16);
  const parts = ["commonplace", checkout, name];
  try {
    const { XDG_CACHE_HOME = "" } = process.env;
    // The specification of the variable says that a relative path is ignored.
    const base = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache");
    if (!isAbsolute(base)) return null;
    const existing = existingAbove(base);
    // Root makes no folder in the home of another user, where that user could replace it.
    if (!isGuarded(existing)) return null;
    mkdirSync(join(base, ...parts), { recursive: true, mode: 0o700 });
    const folder = realpathSync(join(base, ...parts));
    return isGuarded(folder) ? folder : null;
  } catch (error) {
    // A home that does not exist, a full or read-only disk, a user without an entry in the system.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/**
 * The nearest folder that exists, without links.
 *
 * @param {string} path
 * @returns {string}
 */
function existingAbove(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined && dirname(path) !== path
    ? existingAbove(dirname(path))
    : realpathSync(path);
}

// On Windows, Node reports neither users nor modes; the folders of a user are closed to others there.
const USER = process.getuid?.();

/**
 * Whether no other user, except root, can write to a folder or replace one above it. In a sticky folder, such as `/tmp`, users
 * can only replace what is theirs.
 *
 * @param {string} folder real path
 * @returns {boolean}
 */
function isGuarded(folder) {
  if (USER === undefined) return true;
  const { uid, mode } = lstatSync(folder);
  const isOpen = (mode & 0o022) !== 0;
  // Its owner, who may replace everything in it, is this user or root. In a user namespace root's `/tmp` may be this user's.
  const isSticky = (mode & 0o1000) !== 0;
  if ((uid !== USER && uid !== 0) || (isOpen && !isSticky)) return false;
  return dirname(folder) === folder || isGuarded(dirname(folder));
}
