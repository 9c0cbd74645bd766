/** A whole site for a host, made as `npm run render -- --whole` makes it: pages, cards, search index, headers and redirects. */
import { join } from "node:path";
import { auditOutput } from "../../src/commands/site-audit.ts";
import type { AuditReport } from "../../src/audit/audit.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import type { SiteConfigFile } from "../../src/settings/site-config.ts";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";

const SITE_URL = "https://quotes.example";

export class HostSite {
  readonly folder = tempFolder("host");
  readonly outDir = join(this.folder, "dist");
  readonly stateDir = join(this.folder, "state");
  readonly #config: SiteConfigFile;
  #nights = 0;

  /** @param config that all settings of the site share */
  constructor(config: SiteConfigFile = {}) {
    this.#config = { cards: 0, ...config };
  }

  settings(config: SiteConfigFile = {}): Settings {
    const env = { STATE_DIR: this.stateDir, SITE_URL };
    return readSettings({ out: this.outDir }, env, { ...this.#config, ...config });
  }

  /** Publishes quotes as the snapshot of another night. */
  publish(quotes: Iterable<QuoteDraft>): void {
    const stamp = `202611${String(10 + this.#nights++)}T020300000Z`;
    makeSnapshot({ stateDir: this.stateDir, stamp, quotes });
  }

  /** @returns the exit status, and why it failed */
  async make(config: SiteConfigFile) {
    const text = `export default ${JSON.stringify({ ...this.#config, ...config })};`;
    const args = ["--whole", "--json", "--quiet", "--state", this.stateDir, "--out", this.outDir];
    const SITE_DIR = folderWith({ "config.ts": text });
    const { status, stdout, stderr } = await run("render", args, { SITE_DIR, SITE_URL });
    if (stdout === "") throw new Error(stderr);
    const { message } = JSON.parse(stdout) as Record<"message", string>;
    return { status, message };
  }

  audit(settings: Settings): Promise<AuditReport> {
    return auditOutput(settings, () => undefined);
  }
}
