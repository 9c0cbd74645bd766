/** What a checkout needs on other platforms than the one of these tests. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { immutableUrl } from "../src/sqlite/database.ts";
import { tempFolder } from "./support/run/index.ts";

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
