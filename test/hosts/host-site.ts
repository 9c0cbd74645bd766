/** A whole site for a host, made by the product's own stages: pages, cards, search index, headers and redirects. */
import { join } from "node:path";
import { auditOutput } from "../../src/commands/audit.ts";
import { RunRecord } from "../../src/commands/reporting/run-record.ts";
import { siteStages } from "../../src/commands/site-stages.ts";
import type { AuditReport } from "../../src/audit/audit.ts";
import type { HostReport } from "../../src/hosts/prepare-host.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import type { SiteConfigFile } from "../../src/settings/site-config.ts";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

const HOST_ORIGIN = "https://quotes.example";

const { signal } = new AbortController();
const showProgress = (): void => undefined;

export class HostSite {
  readonly folder = tempFolder("host");
  readonly outDir = join(this.folder, "dist");
  readonly stateDir = join(this.folder, "state");
  readonly #config: SiteConfigFile;
  #nights = 0;

  /** @param config that all settings of the site share */
  constructor(config: SiteConfigFile = {}) {
    this.#config = config;
  }

  settings(config: Partial<SiteConfigFile> = {}): Settings {
    // With a credential, pages are rendered in another process: Astro does not run in a worker of Vitest.
    const env = { STATE_DIR: this.stateDir, SITE_URL: HOST_ORIGIN, QUOTES_TOKEN: "canary-hosts" };
    return readSettings({ out: this.outDir }, env, { cards: 0, ...this.#config, ...config });
  }

  /** Publishes quotes as the snapshot of another night. */
  publish(quotes: Iterable<QuoteDraft>): void {
    const stamp = `202611${String(10 + this.#nights++)}T020300000Z`;
    makeSnapshot({ stateDir: this.stateDir, stamp, quotes });
  }

  /** As `npm run render -- --whole` does, without thumbnails. */
  async make(
    settings: Settings,
  ): Promise<{ settings: Settings; fit: string | undefined; host: HostReport }> {
    const record = new RunRecord(settings, signal);
    const { plan, cards, render, search, host, report } = siteStages(record);
    for (const stage of [plan, cards, render, search, host, report]) await stage.run(showProgress);
    const { made } = record;
    if (made.host === undefined) throw new Error("a site has headers and redirects");
    return { settings: record.settings, fit: made.fit, host: made.host };
  }

  audit(settings: Settings): Promise<AuditReport> {
    return auditOutput(settings, showProgress);
  }
}
