import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { readCommandLine } from "../../src/commands/command-line.ts";
import { tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

function commonplace(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
) {
  const command = [join(ROOT, "scripts/commonplace.mjs"), ...args];
  const options = { cwd, encoding: "utf8", env: { PATH: process.env["PATH"], ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  return { status, stdout, stderr };
}

test.each([
  [["biuld"], "unknown command 'biuld'; did you mean build? See commonplace --help"],
  [
    ["build", "--statee", "x"],
    "unknown option '--statee'; did you mean --state? See commonplace build --help",
  ],
  [["export", "more"], "too many arguments"],
  [["serve", "--allow-shrink"], "unknown option '--allow-shrink'; see commonplace serve --help"],
  [["build", "--page-size"], "option '--page-size <N>' argument missing"],
  [["build", "--json=yes"], "unknown option '--json=yes'"],
  [[], "expected a command; see commonplace --help"],
])("readCommandLine(%j) is refused: %s", (argv, reason) => {
  expect(() => readCommandLine(argv)).toThrow(`Cannot read the command line: `);
  expect(() => readCommandLine(argv)).toThrow(reason);
});

test("readCommandLine() separates words from the values of options", () => {
  const argv = ["snapshots", "--state", "use", "use", "X", "--json"];
  expect(readCommandLine(argv)).toMatchObject({
    command: "snapshots",
    words: ["use", "X"],
    options: { STATE_DIR: "use", json: true },
  });
});

test("--help shows defaults, variables and exit statuses, and nothing that changes nothing", () => {
  const { status, stdout, stderr } = commonplace(["render", "-h"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  for (const words of ["STATE_DIR)", "SITE_URL", "  74   a file"]) expect(stdout).toContain(words);
  expect(stdout).not.toMatch(/--base-url|--max-requests|QUOTES_TOKEN|^ {2}69/m);
  expect(commonplace(["render", "--help"]).stdout).toBe(stdout);
  expect(commonplace(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [["export"], 75, /nothing was harvested yet; run "npm run harvest" first$/],
  [["render", "--host", "s3"], 78, /^Cannot make a site for s3: .*SITE_URL/],
  [["render", "--nonsense"], 64, /--nonsense/],
])("%j under --json ends with one JSON object that has its status", (args, expected, words) => {
  const { status, stdout, stderr } = commonplace([...args, "--json", "--state", tempFolder("no")]);
  expect(status).toBe(expected);
  expect(stderr).toMatch(/^Cannot [^\n]+\n$/);
  expect(stderr.trimEnd()).toMatch(words);
  expect(JSON.parse(stdout)).toEqual({ status: expected, message: stderr.trimEnd() });
});

test("serve refuses a data file that is not there with 78 and one line", () => {
  const file = join(tempFolder("no"), "quotes.ndjson");
  const { status, stderr } = commonplace(["serve", "--port", "0", "--data", file]);
  expect(status).toBe(78);
  expect(stderr).toMatch(/^Cannot load [^\n]+: no such file[^\n]*\n$/);
});

test("SITE_DIR is seen from the root of the project, wherever a command runs", () => {
  const folder = tempFolder("site");
  const env = { SITE_DIR: relative(ROOT, folder) };
  const { status } = commonplace(["theme", "new", "mine"], env, tempFolder("elsewhere"));
  expect(status).toBe(0);
  expect(existsSync(join(folder, "themes/mine/theme.json"))).toBe(true);
});

test("bash completes commands, and the words and options of a command", () => {
  const functions = commonplace(["completions", "bash"]).stdout;
  const complete = (...words: string[]): string[] => {
    const line = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}`;
    const script = `${functions}\n${line}; _commonplace; echo "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split(" ");
  };
  expect(complete("commonplace", "re")).toEqual(["render", "relay"]);
  expect(complete("commonplace", "render", "--wh")).toEqual(["--whole"]);
  expect(complete("commonplace", "theme", "n")).toEqual(["new"]);
  expect(complete("commonplace", "completions", "z")).toEqual(["zsh"]);
  const options = ["--port", "--page-size", "--public-url"];
  expect(complete("commonplace", "serve", "--p")).toEqual(options);
});

test.each(["bash", "zsh", "fish"])("completions for %s know every command", (shell) => {
  const { status, stdout } = commonplace(["completions", shell]);
  expect(status).toBe(0);
  for (const name of ["build", "screenshots"]) expect(stdout).toContain(name);
});

test("completions refuse a shell that they do not know", () => {
  expect(commonplace(["completions", "tcsh"]).status).toBe(64);
});
