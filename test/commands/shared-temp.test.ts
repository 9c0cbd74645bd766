/** A browser is not run from the temporary folder, which all users of a machine share. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Without what the user may have chosen: those choices win. */
function environment(TMPDIR: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: undefined, CHROMIUM_PATH: undefined, TMPDIR };
}

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ITS_OWN = BROWSERS.some((path) => existsSync(path)) || process.platform !== "linux";
const why = ITS_OWN ? " (skipped: the system has a browser)" : "";

test.skipIf(ITS_OWN)(`launchBrowser() runs no browser that waits there${why}`, () => {
  const shared = tempFolder("shared");
  const trap = join(shared, "trapped");
  for (const path of [join(shared, "chromium"), join(shared, "locales/chromium")]) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(path, 0o755);
  }
  const module = join(ROOT, "src/commands/browser.ts");
  const code = `
    const { launchBrowser } = await import(${JSON.stringify(module)});
    const browser = await launchBrowser();
    process.stdout.write(browser.version());
    await browser.close();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    env: environment(shared),
    encoding: "utf8",
  });
  expect(existsSync(trap)).toBe(false);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^\d+\./);
});
