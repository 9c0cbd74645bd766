/**
 * A real browser for tests, screenshots and the browser audit: `CHROMIUM_PATH`, else the system's, else that of
 * `@sparticuz/chromium`. The switches of that package are not used: they disable web security and process isolation.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, win32 } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { ConfigurationError } from "../contract/errors.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import { privateCache } from "../files/private-cache.mjs";

const BESIDE_PROGRAMS = [
  "Google/Chrome/Application/chrome.exe",
  "Microsoft/Edge/Application/msedge.exe",
  "Chromium/Application/chrome.exe",
];

/** Where each system keeps Chromium, Chrome or Edge, the first of them that is there. */
export function systemBrowsers(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): readonly string[] {
  if (platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) => env[name]);
    return folders.flatMap((folder = "") =>
      folder === "" ? [] : BESIDE_PROGRAMS.map((file) => win32.join(folder, file)),
    );
  }
  if (platform === "darwin") {
    return ["/Applications", `${env["HOME"] ?? ""}/Applications`].flatMap((folder) =>
      ["Google Chrome", "Chromium", "Microsoft Edge"].map(
        (name) => `${folder}/${name}.app/Contents/MacOS/${name}`,
      ),
    );
  }
  return ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"]
    .map((name) => `/usr/bin/${name}`)
    .concat("/snap/bin/chromium");
}

const ARGS = ["--disable-gpu", "--font-render-hinting=none"];

const LAUNCH_TIMEOUT_MS = 90_000;

/**
 * Starts a browser; the caller closes it.
 *
 * @throws {ConfigurationError} when no browser starts, or development dependencies are not installed
 */
export async function launchBrowser(): Promise<Browser> {
  const chosen = process.env["CHROMIUM_PATH"] ?? "";
  if (chosen !== "" && !existsSync(chosen)) {
    throw new ConfigurationError(`Cannot use CHROMIUM_PATH: there is no file ${chosen}`);
  }
  const { chromium } = await import("playwright-core").catch((cause: unknown) => {
    const why = "its packages are not installed; run npm ci, without --omit=dev";
    throw new ConfigurationError(`Cannot start a browser: ${why}`, { cause });
  });
  const given = [chosen, ...systemBrowsers()].find((path) => existsSync(path));
  const executablePath = given ?? (await unpacked());
  const launch = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({ executablePath, args: ARGS, timeout: LAUNCH_TIMEOUT_MS, chromiumSandbox });
  // Chromium refuses to run its sandbox as root, as in most containers.
  return launch(process.getuid?.() !== 0)
    .catch((error: unknown) => {
      // On Ubuntu users may not create the namespaces that the sandbox needs. Only pages of the site are opened.
      if (!/usable sandbox|new namespace/.test(String(error))) throw error;
      return launch(false);
    })
    .catch((cause: unknown) => {
      // The first line on stderr, such as the name of a missing library.
      const [, reason = "it is no browser"] = /\[err\] (.*)/.exec(String(cause)) ?? [];
      const why = `${reason}; set CHROMIUM_PATH to a browser that runs here`;
      throw new ConfigurationError(`Cannot start ${executablePath}: ${why}`, { cause });
    });
}

/** The package has programs for these alone. */
const PACKAGED = ["linux-x64", "linux-arm64"];

const PACKAGE = "node_modules/@sparticuz/chromium/package.json";
const UNPACK =
  'const { default: packaged } = await import("@sparticuz/chromium");' +
  "packaged.setGraphicsMode = false; await packaged.executablePath();";

/**
 * The packaged browser, unpacked once for each version of the package.
 *
 * The package unpacks into the temporary folder and trusts a browser that is already there. A child process therefore
 * gets a temporary folder that no other user can write to.
 */
async function unpacked(): Promise<string> {
  if (!PACKAGED.includes(`${process.platform}-${process.arch}`)) {
    const why = "none was found; install Chrome, Chromium or Edge, or set CHROMIUM_PATH";
    throw new ConfigurationError(`Cannot start a browser: ${why}`);
  }
  const folder = privateCache("chromium");
  if (folder === null) {
    throw new ConfigurationError(
      "Cannot unpack the browser: no cache folder that only you can write to; set XDG_CACHE_HOME to one, or CHROMIUM_PATH to a browser",
    );
  }
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, PACKAGE), "utf8")) as {
    version: string;
  };
  const home = join(folder, version);
  if (!existsSync(home)) {
    const unfinished = mkdtempSync(join(folder, "unpacking-"));
    try {
      await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
        cwd: PROJECT_ROOT,
        env: { ...process.env, TMPDIR: unfinished },
      });
      // Another process may have unpacked it meanwhile.
      if (!existsSync(home)) renameSync(unfinished, home);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return join(home, "chromium");
}
