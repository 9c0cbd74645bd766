/** A whole site for a host, made by the product's own stages: pages, cards, search index, headers and redirects. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { auditOutput } from "../../src/commands/audit.ts";
import { reportBuild } from "../../src/commands/build-report.ts";
import { makeSiteOgImages } from "../../src/commands/og-images.ts";
import { fittedSettings } from "../../src/commands/host/limits.ts";
import { prepareHostOf } from "../../src/commands/host/prepare.ts";
import { renderInChild } from "../../src/commands/render-apart.ts";
import { indexOutput } from "../../src/commands/search-index.ts";
import type { AuditReport } from "../../src/audit/audit.ts";
import type { HostReport } from "../../src/hosts/prepare-host.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import type { SiteConfigFile } from "../../src/settings/site-config.ts";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

const HOST_ORIGIN = "https://quotes.example";

const how = { signal: new AbortController().signal, say: () => undefined };

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
    const env = { STATE_DIR: this.stateDir, SITE_URL: HOST_ORIGIN };
    return readSettings({ out: this.outDir }, env, { cards: 0, ...this.#config, ...config });
  }

  /** Publishes quotes as the snapshot of another night. */
  publish(quotes: Iterable<QuoteDraft>): void {
    const stamp = `202611${String(10 + this.#nights++)}T020300000Z`;
    makeSnapshot({ stateDir: this.stateDir, stamp, quotes });
  }

  /** As `npm run build` goes on after the harvest. */
  async make(
    settings: Settings,
  ): Promise<{ settings: Settings; fit: string | null; host: HostReport }> {
    const fitted = fittedSettings(settings);
    await makeSiteOgImages(fitted.settings, how);
    const render = await renderInChild(fitted.settings, how);
    await indexOutput(fitted.settings, how);
    const host = prepareHostOf(fitted.settings);
    if (host === null) throw new Error("a published snapshot has headers and redirects");
    reportBuild(fitted.settings, render.changes, null);
    return { ...fitted, host };
  }

  audit(settings: Settings): Promise<AuditReport> {
    return auditOutput(settings, how.say);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
