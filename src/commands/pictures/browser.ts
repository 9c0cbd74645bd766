/**
 * A real browser for tests and pictures: `CHROMIUM_PATH`, else one the system has, else the one inside a package.
 *
 * The packaged one is made for small servers: its own switches turn the web's security off and put all in one process,
 * so none of them is used here.
 */
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Test containers run as root and have no sandbox to give. */
const ARGS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];

/** Longest that another process may take to unpack the browser, and that it may take to start. */
const PATIENCE_MS = 90_000;

/** Starts a browser; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const given = process.env["CHROMIUM_PATH"] ?? SYSTEM.find((path) => existsSync(path));
  const executablePath = given ?? (await unpackOnce());
  return chromium.launch({ executablePath, args: ARGS, timeout: PATIENCE_MS });
}

/** The package writes to one fixed place, so processes take turns. */
async function unpackOnce(): Promise<string> {
  const lock = join(tmpdir(), "commonplace-chromium.lock");
  const deadline = performance.now() + PATIENCE_MS;
  while (!taken(lock)) {
    // A process that was killed leaves its lock behind.
    if (performance.now() > deadline) break;
    await sleep(200);
  }
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    packaged.setGraphicsMode = false;
    return await packaged.executablePath();
  } finally {
    if (existsSync(lock)) rmdirSync(lock);
  }
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
