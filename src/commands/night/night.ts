/**
 * What the stages of a night came to, also where they run in several processes: a harvest, and later what makes a site of
 * it.
 *
 * `night.json` in the state carries it from one to the next. It feeds the report and nothing that pages show.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { HarvestResult } from "../../contract/harvest-result.ts";
import { atomicWrite } from "../../files/atomic-write.ts";
import type { AuditReport } from "../../audit/audit.ts";
import type { NightReport } from "../../report/night-report.ts";
import type { BuildReport } from "../../report/report.ts";
import type { PictureReport } from "../../images/report.ts";
import type { Stage } from "../stages.ts";

/** Missing where a stage did not run. */
export interface NightParts {
  harvest?: HarvestResult;
  pictures?: PictureReport;
  build?: BuildReport;
  audit?: AuditReport;
}

/** What one of our own processes wrote; its parts are trusted as such. */
const savedSchema = z.object({
  parts: z.record(z.string(), z.unknown()),
  stages: z.record(z.string(), z.int().min(0)),
  told: z.array(z.string()),
});

export class Night {
  readonly parts: NightParts;
  /** Milliseconds by the title of the stage. */
  readonly stages: Record<string, number>;
  /** The last report; undefined before the first. */
  report: NightReport | undefined;
  /** Annotations that were printed already. */
  readonly told: Set<string>;

  private constructor(parts: NightParts, stages: Record<string, number>, told: Iterable<string>) {
    this.parts = parts;
    this.stages = stages;
    this.told = new Set(told);
  }

  /** A night that begins with a harvest. */
  static begin(): Night {
    return new Night({}, {}, []);
  }

  /** Goes on with the night whose harvest made the snapshot; begins another where that is not it. */
  static of(stateDir: string, snapshot: string | null): Night {
    const saved = read(join(stateDir, NAME));
    if (saved === null || saved.parts.harvest?.snapshot !== snapshot) return Night.begin();
    return new Night(saved.parts, saved.stages, saved.told);
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
    const { parts, stages, told } = this;
    atomicWrite(path, JSON.stringify({ parts, stages, told: [...told] }));
  }
}

const NAME = "night.json";

interface Saved {
  readonly parts: NightParts;
  readonly stages: Record<string, number>;
  readonly told: readonly string[];
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
