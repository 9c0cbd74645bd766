/** What Node compiles and what is unpacked to be run lies only where no other user can write. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const OTHER = 61_001;
const NOT_POSIX = process.getuid === undefined;
const NOT_ROOT = process.getuid?.() === 0 ? "" : " (skipped: only root can give a folder away)";

const PRINT =
  'import * as module from "node:module"; process.stdout.write(module.getCompileCacheDir() ?? "")';

/** The compile cache of a command; empty where it has none. */
function cacheOf(env: NodeJS.ProcessEnv, uid?: number, print = PRINT): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", join(ROOT, "scripts/compile-cache.mjs"), "--input-type=module", "--eval", print],
    { env, encoding: "utf8", cwd: "/", ...(uid !== undefined && { uid }) },
  );
  expect(stderr).toBe("");
  return stdout;
}

/** A folder that only we can write, and a folder in it. */
function homes(): { base: string; inside: string } {
  const base = tempFolder("home");
  const inside = join(base, "cache");
  return { base, inside };
}

test("the compile cache is in the cache folder of the user, and closed to others", () => {
  const { inside } = homes();
  const found = cacheOf({ XDG_CACHE_HOME: inside });
  expect(found.startsWith(join(inside, "commonplace"))).toBe(true);
  if (!NOT_POSIX) expect(lstatSync(join(inside, "commonplace")).mode & 0o777).toBe(0o700);
  expect(cacheOf({ XDG_CACHE_HOME: inside })).toBe(found);
});

test("the compile cache is below the home of the user without XDG_CACHE_HOME, or with a relative one", () => {
  const { base } = homes();
  for (const XDG_CACHE_HOME of [undefined, "", "cache"]) {
    const env = { HOME: base, USERPROFILE: base, XDG_CACHE_HOME };
    expect(cacheOf(env).startsWith(join(base, ".cache/commonplace"))).toBe(true);
  }
});

test("a thread of a command has its compile cache", () => {
  const { inside } = homes();
  // Without the `--import` of this test, which no command has.
  const inThread = `import { Worker } from "node:worker_threads";
    new Worker(new URL('data:text/javascript,${PRINT}'), { execArgv: [] });`;
  const found = cacheOf({ XDG_CACHE_HOME: inside }, undefined, inThread);
  expect(found).not.toBe("");
  expect(found).toBe(cacheOf({ XDG_CACHE_HOME: inside }));
});

test("a command without a home has no compile cache, and runs", () => {
  const { base } = homes();
  expect(cacheOf({ HOME: join(base, "none/home"), XDG_CACHE_HOME: "/dev/null/x" })).toBe("");
});

test.skipIf(NOT_POSIX)("a folder that others may write to is no cache, nor is one below it", () => {
  for (const mode of [0o777, 0o775, 0o757, 0o1775]) {
    const { base, inside } = homes();
    mkdirSync(join(inside, "deep"), { recursive: true });
    chmodSync(inside, mode);
    // In a sticky folder others have no power over what is ours.
    const expected = mode === 0o1775;
    expect(cacheOf({ XDG_CACHE_HOME: inside }) !== "").toBe(expected);
    expect(cacheOf({ XDG_CACHE_HOME: join(inside, "deep") }) !== "").toBe(expected);
    symlinkSync(inside, join(base, "link"));
    expect(cacheOf({ XDG_CACHE_HOME: join(base, "link") }) !== "").toBe(expected);
  }
});

test.skipIf(NOT_ROOT !== "")(
  `what another user owns is no cache${NOT_ROOT}`,
  { tags: "long" },
  () => {
    const own = homes();
    mkdirSync(join(own.inside, "deep"), { recursive: true });
    chownSync(own.inside, OTHER, OTHER);
    for (const path of ["cache", "cache/deep", "cache/new"]) {
      expect(cacheOf({ XDG_CACHE_HOME: join(own.base, path) })).toBe("");
    }
    // As with sudo, which leaves HOME as it was: nothing is made there either.
    expect(() => lstatSync(join(own.inside, "new"))).toThrow("ENOENT");
    const planted = homes();
    for (const level of ["commonplace", "commonplace/*", "commonplace/*/*"]) {
      const found = cacheOf({ XDG_CACHE_HOME: planted.inside });
      expect(found).not.toBe("");
      const parts = found.slice(planted.inside.length + 1).split("/");
      const at = join(planted.inside, ...parts.slice(0, level.split("/").length));
      chownSync(at, OTHER, OTHER);
      expect(cacheOf({ XDG_CACHE_HOME: planted.inside }), level).toBe("");
      chownSync(at, 0, 0);
    }
  },
);

test.skipIf(NOT_ROOT !== "")(`two users of one checkout share no cache${NOT_ROOT}`, () => {
  const { base } = homes();
  chmodSync(base, 0o1777);
  // The folder of this run of the tests, which is closed to others.
  chmodSync(dirname(base), 0o711);
  const ours = cacheOf({ XDG_CACHE_HOME: base });
  expect(ours).not.toBe("");
  expect(cacheOf({ XDG_CACHE_HOME: base }, OTHER)).toBe("");
  expect(cacheOf({ XDG_CACHE_HOME: join(base, "own") }, OTHER)).toContain(join(base, "own"));
});
