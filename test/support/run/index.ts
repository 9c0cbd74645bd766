/** Settings, folders and processes of a run. */
import { readSettings, type Settings } from "../../../src/settings/settings.ts";

export * from "./command.ts";
export * from "./platform.ts";
export * from "./temp-folder.ts";
export { CORE, keepOnOneCore, runWarm } from "./warm.ts";

/** Settings that take nothing from the environment. */
export function settingsFor(
  baseUrl: string,
  stateDir: string,
  walk: Partial<Settings["walk"]> = {},
): Settings {
  const settings = readSettings(
    { QUOTES_BASE_URL: { url: baseUrl, cutFrom: null }, STATE_DIR: stateDir },
    {},
  );
  return { ...settings, walk: { ...settings.walk, ...walk } };
}

/** A small generator of chance that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
