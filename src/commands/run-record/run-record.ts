/**
 * The results of the stages of a run, also where they run in several processes: a harvest, and later the render of its
 * snapshot.
 *
 * `night.json` in the state carries them from one process to the next. Only the report reads them, no page does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { HarvestResult } from "../../contract/harvest-result.ts";
import { atomicWrite } from "../../files/atomic-write.ts";
import type { AuditReport } from "../../audit/audit.ts";
import type { RunReport } from "../../report/run-report.ts";
import type { BuildReport } from "../../report/report.ts";
import type { PictureReport } from "../../images/report.ts";
import type { Stage } from "../stages.ts";

/** Missing where a stage did not run. */
export interface StageResults {
  harvest?: HarvestResult;
  pictures?: PictureReport;
  build?: BuildReport;
  audit?: AuditReport;
}

/** As another process of this program wrote it; its parts are trusted. */
const savedSchema = z.object({
  parts: z.record(z.string(), z.unknown()),
  stages: z.record(z.string(), z.int().min(0)),
  printed: z.array(z.string()),
});

export class RunRecord {
  readonly parts: StageResults;
  /** Milliseconds by the title of the stage. */
  readonly stages: Record<string, number>;
  /** The last report; undefined before the first. */
  report: RunReport | undefined;
  /** Annotations that were printed already. */
  readonly printed: Set<string>;

  private constructor(
    parts: StageResults,
    stages: Record<string, number>,
    printed: Iterable<string>,
  ) {
    this.parts = parts;
    this.stages = stages;
    this.printed = new Set(printed);
  }

  /** A run that begins with a harvest. */
  static begin(): RunRecord {
    return new RunRecord({}, {}, []);
  }

  /** Continues the run whose harvest made the snapshot; begins another where there is none. */
  static of(stateDir: string, snapshot: string | null): RunRecord {
    const saved = read(join(stateDir, NAME));
    if (saved === null || saved.parts.harvest?.snapshot !== snapshot) return RunRecord.begin();
    return new RunRecord(saved.parts, saved.stages, saved.printed);
  }

  /** Runs a stage and notes how long it took, also when it fails. */
  timed(stage: Stage): Stage {
    return {
      ...stage,
      run: async (say) => {
        const began = performance.now();
        try {
          await stage.run(say);
        } finally {
          this.stages[stage.title] = Math.round(performance.now() - began);
        }
      },
    };
  }

  /** @throws {DiskError} when it cannot be written */
  save(stateDir: string): void {
    const path = join(stateDir, NAME);
    const { parts, stages, printed } = this;
    atomicWrite(path, JSON.stringify({ parts, stages, printed: [...printed] }));
  }
}

const NAME = "night.json";

interface Saved {
  readonly parts: StageResults;
  readonly stages: Record<string, number>;
  readonly printed: readonly string[];
}

/** Null where there is none that can be read: a report that says less is no reason to fail. */
function read(path: string): Saved | null {
  try {
    const saved = savedSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return saved.success ? saved.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
