/** A whole site for a host, made by the product's own stages: pages, cards, search index, headers and redirects. */
import { join } from "node:path";
import { auditOutput } from "../../src/commands/audit.ts";
import type { AuditReport } from "../../src/audit/audit.ts";
import type { HostReport } from "../../src/hosts/prepare-host.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import type { SiteConfigFile } from "../../src/settings/site-config.ts";
import { errorOf } from "../../src/contract/errors.ts";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";
import { runWarm, tempFolder } from "../support/run/index.ts";
import type { SiteAnswer, SiteOrder } from "./make-site.ts";

const ROOT = join(import.meta.dirname, "../..");
const HOST_ORIGIN = "https://quotes.example";

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

  /** As `npm run render -- --whole` does, without thumbnails. */
  async make(
    settings: Settings,
  ): Promise<{ settings: Settings; fit: string | undefined; host: HostReport }> {
    const { now, ...rest } = settings;
    const order: SiteOrder = { settings: rest, now: now() };
    const { stdout, stderr } = await runWarm({
      file: join(import.meta.dirname, "make-site.ts"),
      args: [JSON.stringify(order)],
      env: { PATH: process.env["PATH"], SITE_DIR: process.env["SITE_DIR"] },
      cwd: ROOT,
    });
    if (stdout === "") throw new Error(stderr);
    const answer = JSON.parse(stdout) as SiteAnswer;
    if ("failure" in answer) throw errorOf(answer.failure);
    const { site, fit, host } = answer;
    if (!host) throw new Error("a published snapshot has headers and redirects");
    return { settings: { ...settings, site }, fit, host };
  }

  audit(settings: Settings): Promise<AuditReport> {
    return auditOutput(settings, () => undefined);
  }
}
