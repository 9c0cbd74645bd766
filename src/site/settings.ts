/** The settings of the process that renders, read once: pages and the reader of the snapshot share them. */
import { readSettings, type Settings } from "../settings/settings.ts";
import { siteData } from "../settings/site-data.ts";

let settings: Settings | undefined;

/** @throws {ConfigurationError} naming the variable or the field that is wrong */
export function siteSettings(): Settings {
  return (settings ??= readSettings({}, process.env, siteData().config));
}
