/** Settings that take nothing from the environment. */
import { readSettings, type Settings } from "../../../src/settings/settings.ts";

export function settingsFor(
  baseUrl: string,
  stateDir: string,
  walk: Partial<Settings["walk"]> = {},
): Settings {
  const settings = readSettings({ QUOTES_BASE_URL: baseUrl, STATE_DIR: stateDir }, {});
  return { ...settings, walk: { ...settings.walk, ...walk } };
}
