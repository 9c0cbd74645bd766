/** Makes the site of `HostSite` in a process where Astro runs; its argument is a `SiteOrder`. */
import { failureOf, type Failure } from "../../src/contract/errors.ts";
import type { HostReport } from "../../src/hosts/prepare-host.ts";
import { beginRun } from "../../src/commands/reporting/run-record.ts";
import { siteStages } from "../../src/commands/site-stages.ts";
import type { Settings } from "../../src/settings/settings.ts";

export interface SiteOrder {
  readonly settings: Omit<Settings, "now">;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type SiteAnswer =
  | { readonly failure: Failure }
  | {
      readonly site: Settings["site"];
      readonly fit: string | undefined;
      readonly host: HostReport | null | undefined;
    };

const { settings, now } = JSON.parse(process.argv[2] ?? "") as SiteOrder;

async function make(): Promise<SiteAnswer> {
  const record = beginRun({ ...settings, now: () => now }, new AbortController().signal);
  const { plan, cards, render, search, host, report } = siteStages(record);
  try {
    for (const stage of [plan, cards, render, search, host, report])
      await stage.run(() => undefined);
    const { fit, host: prepared } = record.made;
    return { site: record.settings.site, fit, host: prepared };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

process.stdout.write(JSON.stringify(await make()));
