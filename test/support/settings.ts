/** Settings for tests: a state folder of their own, and nothing from the environment. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readSettings, type Settings } from "../../src/settings/settings.ts";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function settingsFor(
  baseUrl: string,
  stateDir: string,
  walk: Partial<Settings["walk"]> = {},
): Settings {
  const settings = readSettings({ QUOTES_BASE_URL: baseUrl, STATE_DIR: stateDir }, {});
  return { ...settings, walk: { ...settings.walk, ...walk } };
}
