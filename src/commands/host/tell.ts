/** Tells the host of the finished pages: headers and redirects, in its own form. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { translationOf } from "../../i18n/translations.ts";
import { localeOf } from "../../i18n/locale.ts";
import { measureSite } from "../../hosts/measure.ts";
import { tellHost, type HostReport } from "../../hosts/tell-host.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { openPublished } from "../../snapshot/index.ts";
import { ROOT } from "../../files/name-of.ts";
import { presetOf } from "./fitted.ts";
import { addressesOf } from "./site.ts";

/**
 * @returns null where there is no snapshot: shards may be joined on a machine that has none
 * @throws {DiskError} when a file cannot be written
 */
export function tellHostOf(settings: Settings): HostReport | null {
  const { stateDir, outDir, site, service } = settings;
  const snapshot = openPublished(stateDir);
  if (snapshot === null) return null;
  const { id } = snapshot;
  snapshot.close();
  const preset = presetOf(settings);
  const reader = openSiteAs(settings);
  const locale = localeOf(site.language, "en");
  const { name, url } = site.attribution;
  try {
    return tellHost({
      preset,
      outDir,
      stateDir,
      origin: site.url,
      base: site.base,
      site: addressesOf(reader, settings, id),
      words: {
        lang: locale.language.tag,
        dir: locale.language.dir,
        moved: translationOf(locale.code).moved,
        siteTitle: site.title,
        attribution:
          service.plan === "free" ? { text: locale.fill("attribution", { name }), url } : null,
      },
      isPublic: (file) => existsSync(join(ROOT, "public", file)),
      // Counting every file is needed only when there is a limit.
      files: preset.limits.files === null ? 0 : measureSite(outDir).files,
    });
  } finally {
    reader.close();
  }
}

export function describeHost({ headerRules, redirects, refused }: HostReport): string {
  const kept = refused.length === 0 ? "" : `; kept as they are: ${refused.slice(0, 3).join(", ")}`;
  return `${headerRules} header rules and ${redirects} redirects for the host${kept}`;
}
