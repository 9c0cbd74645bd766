/** What a checkout needs on other platforms than the one of these tests. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { immutableUrl } from "../src/sqlite/database.ts";
import { tempFolder } from "./support/run/index.ts";
import { makeSnapshot, siteQuotes } from "./support/snapshot/index.ts";

const ROOT = join(import.meta.dirname, "..");

test("a checkout has no CRLF where Git converts line ends", () => {
  const folder = tempFolder("checkout");
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.example", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "--quiet");
  git("config", "core.autocrlf", "true");
  const files = [".gitattributes", ".ci/run", "scripts/commonplace.mjs", "README.md", "Dockerfile"];
  for (const file of files.filter((name) => existsSync(join(ROOT, name)))) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  // Git converts these as well; without the attribute, the next checkout has CRLF.
  writeFileSync(join(folder, "page.astro"), "---\n---\n<p>text</p>\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "files");
  git("rm", "--quiet", "-r", "--cached", ".");
  git("reset", "--quiet", "--hard");
  for (const name of [...files, "page.astro"]) {
    git("checkout-index", "--force", "--", name);
    expect(readFileSync(join(folder, name), "utf8"), name).not.toContain("\r");
  }
});

test.each([
  ["\\\\nas\\share\\state\\s.sqlite", true, "file:////nas/share/state/s.sqlite?immutable=1"],
  ["\\\\wsl$\\Debian\\s 1.sqlite", true, "file:////wsl$/Debian/s%201.sqlite?immutable=1"],
  ["D:\\dev\\s.sqlite", true, "file:///D:/dev/s.sqlite?immutable=1"],
  ["/srv/a?b/s.sqlite", false, "file:///srv/a%3Fb/s.sqlite?immutable=1"],
])("immutableUrl has no host, which SQLite would refuse: %s", (path, windows, url) => {
  expect(immutableUrl(path, windows).href).toBe(url);
});

/** Runs a program in a view of the disks in which a folder cannot be written, but for one in it that is another folder there. */
const READ_ONLY = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && { [ -z "$2" ] || mount --bind "$2" "$1/.astro"; } || exit 99
shift 2
exec "$@"`;

const readOnly = (folder: string, types: string, command: readonly string[]) =>
  spawnSync("unshare", ["--mount", "sh", "-c", READ_ONLY, "sh", folder, types, ...command], {
    cwd: folder,
    env: { PATH: process.env["PATH"], SITE_DIR: process.env["SITE_DIR"], HOME: tempFolder("home") },
    encoding: "utf8",
  });

const CAN_MOUNT =
  process.platform === "linux" && readOnly(tempFolder("probe"), "", ["true"]).status === 0;

test.skipIf(!CAN_MOUNT)(
  "needs mount: a checkout that cannot be written makes a site",
  { tags: "long" },
  () => {
    mkdirSync(join(ROOT, ".astro"), { recursive: true });
    const folder = tempFolder("read-only");
    const quotes = siteQuotes().slice(0, 20);
    const { stateDir } = makeSnapshot({ stateDir: join(folder, "state"), quotes });
    const program = [process.execPath, join(ROOT, "scripts/commonplace.mjs"), "render"];
    const folders = ["--state", stateDir, "--out", join(folder, "dist"), "--quiet"];
    const refused = readOnly(ROOT, "", [...program, ...folders]);
    expect(refused.status).toBe(74);
    expect(refused.stderr).toContain(".astro: EROFS");
    const { status, stderr } = readOnly(ROOT, tempFolder("types"), [...program, ...folders]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(existsSync(join(folder, "dist/index.html"))).toBe(true);
  },
);
