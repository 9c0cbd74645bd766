/**
 * The output folder: whether the site in it is whole, and what a build may have left there.
 *
 * Two places remember it. `build.json` in the folder describes a whole site, and is away while a build changes it; its `audit`
 * says whether it may be published. `output.sqlite` in the state says whether the last build ended: until one does, what
 * killed builds changed is listed again. Stages call this class and neither place; a stage of the harvest alone puts the report away
 * itself, since its process must not load what renders.
 */
import { refusalOf } from "../audit/refusal.ts";
import type { AuditReport } from "../audit/audit.ts";
import type { PublishRefused } from "../contract/errors.ts";
import type { ListedFiles } from "../files/walk.ts";
import { setComplete } from "../render/written-files.ts";
import {
  type BuildFacts,
  dropReport,
  restoreReport,
  settleReport,
  withdrawReport,
  writeReport,
} from "../report/build-json.ts";
import type { BuildReport } from "../report/run-report.ts";

export class OutputFolder {
  readonly #outDir: string;
  readonly #stateDir: string;

  constructor({ outDir, stateDir }: { readonly outDir: string; readonly stateDir: string }) {
    this.#outDir = outDir;
    this.#stateDir = stateDir;
  }

  /**
   * Before a stage changes the site, as often as stages do: from here on no `build.json` describes it.
   *
   * @throws {DiskError} when it cannot be put aside
   */
  change(): void {
    withdrawReport(this.#outDir);
  }

  /** After the pages of shards were joined, which no render recorded: the site is whole once the command ends. */
  joined(): void {
    setComplete(this.#stateDir, false);
  }

  /**
   * Describes the finished site in `build.json`; where nothing changed, that of the build before is put back.
   *
   * @param listed the files of the site
   * @throws {DiskError} when the site cannot be read or the file cannot be written
   */
  describe(facts: BuildFacts, now: Date, listed: ListedFiles): BuildReport {
    return writeReport(this.#outDir, facts, now, listed);
  }

  /**
   * The end of a command that audited the site.
   *
   * @returns the content of `build.json`, null where there is none; and why the site must not be published
   */
  settle(audit: AuditReport): {
    readonly report: BuildReport | null;
    readonly refusal: PublishRefused | undefined;
  } {
    const refusal = refusalOf(audit, this.#outDir);
    const report = settleReport(this.#outDir, refusal === undefined ? "passed" : "failed");
    if (refusal !== undefined) setComplete(this.#stateDir, false);
    else if (report !== null) setComplete(this.#stateDir, true);
    return { report, refusal };
  }

  /**
   * The end of a command that leaves the audit to another.
   *
   * @param pages `changed` or `unchanged` where it made pages alone: a report of other pages describes the site no more
   */
  leave(pages?: "changed" | "unchanged"): void {
    if (pages === "unchanged") restoreReport(this.#outDir);
    if (pages === "changed") dropReport(this.#outDir);
    setComplete(this.#stateDir, true);
  }
}
