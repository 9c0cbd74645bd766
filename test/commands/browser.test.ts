/** How a browser is started: from a folder that no other user can write to, and also where the system allows no sandbox. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemBrowsers } from "../../src/commands/browser.ts";
import { tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Starts a browser in a process of its own and prints its version. */
const LAUNCH = `
  const { launchBrowser } = await import(${JSON.stringify(join(ROOT, "src/commands/browser.ts"))});
  const browser = await launchBrowser();
  process.stdout.write(browser.version());
  await browser.close();`;
const NODE = [process.execPath, "--input-type=module", "--eval", LAUNCH];

function run([command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const { stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8" });
  return { stdout, stderr };
}

test.each([
  ["linux", {}, "/usr/bin/chromium"],
  ["darwin", { HOME: "/Users/a" }, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  [
    "darwin",
    { HOME: "/Users/a" },
    "/Users/a/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  [
    "win32",
    { PROGRAMFILES: "C:\\Program Files" },
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ],
  [
    "win32",
    { "PROGRAMFILES(X86)": "D:\\Programs" },
    "D:\\Programs\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
] as const)("systemBrowsers() knows where %s keeps them: %j", (platform, env, path) => {
  expect(systemBrowsers(platform, env)).toContain(path);
  expect(systemBrowsers(platform, env).every((one) => !one.includes("undefined"))).toBe(true);
});

const STARTED = { stderr: "", stdout: expect.stringMatching(/^\d+\./) as string };

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ITS_OWN = BROWSERS.some((path) => existsSync(path)) || process.platform !== "linux";
const why = ITS_OWN ? " (skipped: the system has a browser)" : "";

test.skipIf(ITS_OWN)(`launchBrowser() runs no browser of the shared temporary folder${why}`, () => {
  const TMPDIR = tempFolder("shared");
  const trap = join(TMPDIR, "trapped");
  for (const path of [join(TMPDIR, "chromium"), join(TMPDIR, "locales/chromium")]) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(path, 0o755);
  }
  // Without what the user may have chosen: those choices win.
  const chosen = { NODE_COMPILE_CACHE: undefined, CHROMIUM_PATH: undefined };
  expect(run(NODE, { ...process.env, ...chosen, TMPDIR })).toEqual(STARTED);
  expect(existsSync(trap)).toBe(false);
});

test.each([
  ["names no file", "/nowhere", "Cannot use CHROMIUM_PATH: there is no file /nowhere"],
  ["is no browser", ROOT, `Cannot start ${ROOT}: it is no browser; set CHROMIUM_PATH`],
  [
    "does not start",
    process.execPath,
    `Cannot start ${process.execPath}: ${process.execPath}: bad`,
  ],
])("launchBrowser() says that CHROMIUM_PATH %s", (_, path, message) => {
  const { stderr } = run(NODE, { ...process.env, CHROMIUM_PATH: path });
  expect(stderr).toContain(`ConfigurationError: ${message}`);
});

test("launchBrowser() says which installation it needs", () => {
  const hide = `import { registerHooks } from "node:module";
    registerHooks({ resolve: (name, context, next) =>
      next(name === "playwright-core" ? "not-installed" : name, context) });`;
  const [node = "", ...args] = NODE;
  const hook = `data:text/javascript,${encodeURIComponent(hide)}`;
  const { stderr } = run([node, "--import", hook, ...args]);
  expect(stderr).toContain("ConfigurationError: Cannot start a browser: its packages are not");
});

/** A user who may make no namespaces, as on Ubuntu and in most containers. */
const CONFINED = [
  ...["unshare", "--user", "--map-user=1000", "--map-group=1000", "--keep-caps"],
  ...["sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"],
];
const CONFINES = spawnSync(CONFINED[0] ?? "", [...CONFINED.slice(1), "true"]).status === 0;
const where = CONFINES ? "" : " (skipped: this system cannot unshare)";

test.skipIf(!CONFINES)(`launchBrowser() starts where a sandbox is impossible${where}`, () => {
  expect(run([...CONFINED, ...NODE])).toEqual(STARTED);
});
