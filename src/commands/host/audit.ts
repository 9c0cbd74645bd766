/** The finished site against the limits of its host: real files and bytes. */
import type { Finding } from "../../release/audit/finding.ts";
import { excesses, sayExcess } from "../../plan/host/excess.ts";
import { measureSite } from "../../release/hosts/measure.ts";
import type { Settings } from "../../settings/settings.ts";
import { presetOf } from "./fitted.ts";

/** @throws {DiskError} when the folder cannot be read */
export function overHostLimits(settings: Settings): Finding[] {
  const { title, limits } = presetOf(settings);
  if (Object.values(limits).every((limit) => limit === null)) return [];
  return excesses(measureSite(settings.outDir), limits).map((excess) => ({
    kind: "too large for the host",
    page: title,
    detail: sayExcess(excess),
  }));
}
