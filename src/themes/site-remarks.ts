/** What a site should know of its folder although nothing fails: files that are not read, overrides without effect, old keys. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";
import { MOVED_KEYS, movedTo } from "../settings/moved.ts";
import { lineOf } from "../settings/site-config.ts";
import { idleOverrides } from "./idle-overrides.ts";
import { sourceOf } from "./load-config.ts";
import { themePlaces } from "./site-folder.ts";
import { themeFolders } from "./theme.ts";
import { unreadFiles } from "./unread-files.ts";

/** @returns one line each */
export function siteRemarks(theme: string): string[] {
  const places = themePlaces();
  const layers = [places.site ?? [], themeFolders(theme, places)].flat();
  // In a clone, the pages of `src` are those of Commonplace, which import no component of the site.
  const sources = PROJECT_ROOT === PACKAGE_ROOT ? [] : [join(PROJECT_ROOT, "src")];
  const src = join(PACKAGE_ROOT, "src");
  const unread = places.site === null ? [] : unreadFiles(places.site);
  return [...unread, ...oldKeys(places.site), ...idleOverrides(layers, sources, src)];
}

/** The keys of `site/config.ts` that have a new name, as the text of the file has them. */
function oldKeys(site: string | null): string[] {
  const file = join(site ?? "", "config.ts");
  if (site === null || !existsSync(file)) return [];
  const { name, text } = sourceOf(file);
  return Object.entries(MOVED_KEYS).flatMap(([key, moved]) => {
    const line = lineOf(text, [key]);
    return line === "" ? [] : [`${key} of ${name}${line} has an old name: ${movedTo(moved)}`];
  });
}
