/** What is known of a site before its pages are read: its files, their names, and what its sitemap lists. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onDisk } from "../../files/disk.ts";
import { listSite, type ListedFiles } from "../../files/walk.ts";
import { API_SCHEMA } from "../files/api.ts";
import type { Findings, Report } from "../finding.ts";
import type { SiteAddress } from "../page/links.ts";
import { OWN_KIND, pageOf, type PageToAudit } from "../page/rules.ts";
import { Names } from "./names.ts";
import { auditRobots } from "./robots.ts";
import { auditSitemaps, SITEMAP_INDEX } from "./sitemap.ts";

const ROBOTS = "robots.txt";

/** What pages are weighed with and files compared with. */
const SHARED = /\.(?:css|m?js)$/;

export interface SurveyOptions extends SiteAddress {
  readonly outDir: string;
  /** Whether a page that is not planned may be there all the same, by its address. */
  readonly mayHave: (path: string) => boolean;
  /** Its files as they are now; by default they are listed. */
  readonly listed?: ListedFiles | undefined;
}

export class Survey {
  readonly files: ReadonlySet<string>;
  readonly listed: ListedFiles;
  /** Style sheets, scripts and the schema of the API: the verdict on other files depends on what they hold. */
  readonly shared: readonly string[];
  readonly #expected = new Set<string>();
  /** Pages of the sitemap; null where there is none. */
  readonly #inSitemap: ReadonlySet<string> | null;
  readonly #options: SurveyOptions;
  readonly #about: (page: string) => Report;

  /** @throws {DiskError} when the folder, its sitemap or its `robots.txt` cannot be read */
  constructor(options: SurveyOptions, findings: Findings) {
    this.#options = options;
    this.#about = (page) => (kind, detail) => findings.add({ kind, page, detail });
    this.listed = options.listed ?? listSite(options.outDir);
    this.files = new Set(this.listed.keys());
    const names = new Names();
    for (const file of this.files) names.take(file, this.#about(file));
    this.shared = [...this.files].filter((file) => SHARED.test(file) || file === API_SCHEMA);
    const { origin, base } = options;
    const read = (file: string): string | null => this.#read(file);
    const site = { origin, base, hasFile: (file: string) => this.files.has(file), read };
    this.#inSitemap = auditSitemaps(site, (file, fault) => this.#about(file)("sitemap", fault));
    const sitemap = this.#inSitemap === null ? null : origin + base + SITEMAP_INDEX;
    auditRobots(read(ROBOTS), sitemap, this.#about(ROBOTS));
  }

  /** Takes note of a page that must be there. @returns whether it is */
  expect({ file, path, unlisted, kind }: PageToAudit): boolean {
    this.#expected.add(file);
    if (this.#inSitemap !== null && kind !== OWN_KIND) {
      const listed = this.#inSitemap.has(file);
      if (listed && unlisted) this.#about(path)("sitemap", "it is listed and hidden from search");
      if (!listed && !unlisted) this.#about(path)("sitemap", "it is not listed");
    }
    return this.files.has(file);
  }

  /** The files that are no expected pages; a page among them is a finding, unless it may be there or leads on. */
  *others(): Generator<string> {
    for (const file of this.files) {
      if (this.#expected.has(file)) continue;
      if (file.endsWith(".html")) {
        const path = pageOf(file);
        if (!this.#options.mayHave(path) && !this.#isRedirect(file))
          this.#about(path)("page not planned", "");
      }
      yield file;
    }
  }

  /** Whether Astro wrote the file for an address of `redirects`, which shows nothing of the collection. */
  #isRedirect(file: string): boolean {
    return /^<!doctype html><title>Redirecting to: [^<]*<\/title><meta http-equiv="refresh"/.test(
      this.#read(file) ?? "",
    );
  }

  #read(file: string): string | null {
    if (!this.files.has(file)) return null;
    const path = join(this.#options.outDir, file);
    return onDisk("read", path, () => readFileSync(path, "utf8"));
  }
}
