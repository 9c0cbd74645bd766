import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { readCommandLine } from "../../src/commands/command-line.ts";
import { PROGRAMS } from "../../src/commands/main.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { run, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

test.each([
  [["biuld"], "unknown command 'biuld'; did you mean build? See astro-commonplace --help"],
  [
    ["build", "--statee", "x"],
    "unknown option '--statee'; did you mean --state? See astro-commonplace build --help",
  ],
  [["export", "more"], "too many arguments"],
  [
    ["serve", "--allow-shrink"],
    "unknown option '--allow-shrink'; see astro-commonplace serve --help",
  ],
  [["build", "--page-size"], "option '--page-size <N>' argument missing"],
  [["build", "--json=yes"], "unknown option '--json=yes'"],
  [["completions", "tcsh"], "Allowed choices are bash, zsh, fish"],
  [["snapshots", "burn"], "Allowed choices are list, use, prune"],
  [["snapshots", "use", "X", "Y"], "too many arguments"],
  [[], "expected a command; see astro-commonplace --help"],
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

/** What a command prints for a person, without a process of its own. */
async function printed(argv: readonly string[]): Promise<string> {
  const request = readCommandLine(argv);
  if (request.kind === "print") return request.text;
  const { command, options, words } = request;
  const program = await PROGRAMS[command]();
  const { signal } = new AbortController();
  const settings = readSettings(options, {});
  const { text = "" } = await program.run({ settings, options, words, signal });
  return text;
}

test("--help shows defaults, variables and exit statuses, and nothing that changes nothing", async () => {
  const help = await printed(["render", "-h"]);
  for (const words of ["STATE_DIR)", "SITE_URL", "  74   a file"]) expect(help).toContain(words);
  expect(help).not.toMatch(/--base-url|--max-requests|QUOTES_TOKEN|^ {2}69/m);
  expect(await printed(["render", "--help"])).toBe(help);
});

test("--version is printed as one line on stdout", async () => {
  const { status, stdout, stderr } = await run("--version", []);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [["export"], 75, /^Cannot read \S+: no snapshot is there; run "npm run harvest" first$/],
  [["render", "--host", "s3"], 78, /^Cannot make a site for s3: .*SITE_URL/],
  [["render", "--nonsense"], 64, /--nonsense/],
])(
  "%j under --json ends with one JSON object that has its status",
  async ([name = "", ...more], expected, words) => {
    const args = [...more, "--json", "--state", tempFolder("no")];
    const { status, stdout, stderr } = await run(name, args);
    expect(status).toBe(expected);
    expect(stderr).toMatch(/^Cannot [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(words);
    expect(JSON.parse(stdout)).toEqual({ status: expected, message: stderr.trimEnd() });
  },
);

test("build refuses a theme that is not there before it sends a request", async () => {
  const env = { QUOTES_BASE_URL: "http://127.0.0.1:1", SITE_THEME: "nope" };
  const { status, stderr } = await run("build", ["--state", tempFolder("no")], env);
  expect(status).toBe(78);
  expect(stderr).toMatch(/^Cannot use theme "nope": [^\n]+\n$/);
});

test.each([
  [["--data", "/nope.ndjson"], "Cannot load /nope.ndjson: no such file or directory"],
  [
    ["--page-size", "9", "--max-limit", "5"],
    "Cannot use --page-size 9: --max-limit is 5; raise it or ask for less",
  ],
  [["--token-file", "/nope"], "Cannot use --token-file: there is no such file"],
])("serve %j is refused as usage, in one line", async (args, message) => {
  const { status, stdout, stderr } = await run("serve", ["--port", "0", ...args]);
  expect({ status, stdout, stderr }).toEqual({ status: 64, stdout: "", stderr: `${message}\n` });
});

test("SITE_DIR is seen from the root of the project, wherever a command runs", () => {
  const folder = tempFolder("site");
  const env = { PATH: process.env["PATH"], SITE_DIR: relative(ROOT, folder) };
  const command = [join(ROOT, "scripts/commonplace.mjs"), "theme", "new", "mine"];
  const how = { cwd: tempFolder("elsewhere"), env, encoding: "utf8" } as const;
  const { stdout } = spawnSync(process.execPath, command, how);
  expect(existsSync(join(folder, "themes/mine/theme.json"))).toBe(true);
  expect(stdout).toContain(`Set theme: "mine" in ${join(folder, "config.ts")}, or try it`);
});

test("bash completes commands, and the words and options of a command", async () => {
  const functions = await printed(["completions", "bash"]);
  const complete = (...words: string[]): string[] => {
    const line = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}`;
    const script = `${functions}\n${line}; _commonplace; echo "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split(" ");
  };
  expect(complete("astro-commonplace", "re")).toEqual(["render", "relay"]);
  expect(complete("astro-commonplace", "render", "--wh")).toEqual(["--whole"]);
  expect(complete("astro-commonplace", "theme", "n")).toEqual(["new"]);
  expect(complete("astro-commonplace", "completions", "z")).toEqual(["zsh"]);
  const options = ["--port", "--page-size", "--public-url"];
  expect(complete("astro-commonplace", "serve", "--p")).toEqual(options);
});

test.each(["bash", "zsh", "fish"])("completions for %s know every command", async (shell) => {
  const text = await printed(["completions", shell]);
  for (const name of ["build", "screenshots"]) expect(text).toContain(name);
});

test("a plan that no settings make fit ends with 65, and says so in its JSON", async () => {
  const site = tempFolder("site");
  writeFileSync(join(site, "config.ts"), "export default { hostLimits: { files: 5 } };");
  const args = ["--host", "github-pages", "--json", "--state", tempFolder("state")];
  const env = { SITE_DIR: site, SITE_URL: "https://quotes.example" };
  const { status, stdout } = await run("plan", args, env);
  expect(status).toBe(65);
  const message = expect.stringContaining("where 5 are allowed") as unknown;
  expect(JSON.parse(stdout)).toMatchObject({ status, message, over: [{ limit: "files" }] });
});
