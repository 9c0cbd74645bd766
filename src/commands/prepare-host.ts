/** Writes headers and redirects for the host of the finished pages. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../files/name-of.ts";
import { localeOf, translationOf } from "../i18n/locale.ts";
import { measureSite } from "../files/walk.ts";
import { prepareHost, type HostReport } from "../hosts/prepare-host.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { readPointer } from "../snapshot/published/pointer.ts";
import { siteFolder } from "./site-folder.ts";
import { presetOf } from "./host-limits.ts";

/**
 * @returns null where there is no snapshot: shards may be joined on a machine that has none
 * @throws {DiskError} when a file cannot be written
 */
export function prepareHostOf(settings: Settings): HostReport | null {
  const { stateDir, outDir, site, service } = settings;
  if (readPointer(stateDir) === null) return null;
  const publicFolders = [ROOT, siteFolder(process.env) ?? ROOT].map((at) => join(at, "public"));
  const preset = presetOf(settings);
  const locale = localeOf(site.language, "en");
  const { name, url } = site.attribution;
  using reader = openSiteAs(settings);
  return prepareHost({
    preset,
    outDir,
    stateDir,
    origin: site.url,
    base: site.base,
    reader,
    words: {
      lang: locale.language.tag,
      dir: locale.language.dir,
      moved: translationOf(locale.code).moved,
      siteTitle: site.title,
      attribution:
        service.plan === "free" ? { text: locale.fill("attribution", { name }), url } : null,
    },
    isPublic: (file) => publicFolders.some((folder) => existsSync(join(folder, file))),
    // Counting every file is needed only when there is a limit.
    files: preset.limits.files === null ? 0 : measureSite(outDir).files,
  });
}
