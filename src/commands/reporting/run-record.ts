/**
 * The results of the stages of a run, also where they run in several processes: a harvest, and later the render of its
 * snapshot.
 *
 * `night.json` in the state carries them from one process to the next. Only the report reads them, no page does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite, asDiskError } from "../../files/disk.ts";
import type { AuditReport } from "../../audit/audit.ts";
import { parseJson } from "../../contract/decode.ts";
import type { HostReport } from "../../hosts/prepare-host.ts";
import type { OgReport } from "../../images/og/make-images.ts";
import type { PictureReport } from "../../images/report.ts";
import type { MergeReport } from "../../render/shards.ts";
import type { RenderReport } from "../../render/rendering.ts";
import type { BuildReport } from "../../report/build-json.ts";
import type { RunReport, StageResults } from "./run-report.ts";
import type { SearchReport } from "../../search/index-site.ts";
import { readPointer } from "../../snapshot/published/pointer.ts";

/** Results of the stages of this process; missing where a stage did not run. */
export interface Made {
  /** What `--fit` chose. */
  fit?: string;
  pictures?: PictureReport;
  cards?: OgReport;
  render?: RenderReport;
  merge?: MergeReport;
  search?: SearchReport;
  host?: HostReport | null;
  audit?: AuditReport;
  report?: BuildReport;
}

/** As another process of this program wrote it; its parts are trusted. */
const savedSchema = z.object({
  parts: z.record(z.string(), z.unknown()),
  stages: z.record(z.string(), z.int().min(0)),
  printed: z.array(z.string()),
});

type Saved = z.output<typeof savedSchema>;

const NAME = "night.json";

export class RunRecord {
  readonly made: Made = {};
  readonly parts: StageResults;
  /** Milliseconds by the title of the stage. */
  readonly stages: Record<string, number>;
  /** Annotations that were printed already. */
  readonly printed: Set<string>;
  /** The last report; undefined before the first. */
  report: RunReport | undefined;

  /** By default a run that begins with a harvest. */
  constructor({ parts, stages, printed }: Saved = { parts: {}, stages: {}, printed: [] }) {
    this.parts = parts;
    this.stages = stages;
    this.printed = new Set(printed);
  }

  /** Continues the run whose harvest made the published snapshot; begins another where there is none. */
  static continued(stateDir: string): RunRecord {
    const saved = readSaved(join(stateDir, NAME));
    const { harvest }: StageResults = saved?.parts ?? {};
    return new RunRecord(harvest?.snapshot === readPointer(stateDir) ? saved : undefined);
  }

  /** @throws {DiskError} when it cannot be written */
  save(stateDir: string): void {
    const { parts, stages, printed } = this;
    atomicWrite(join(stateDir, NAME), JSON.stringify({ parts, stages, printed: [...printed] }));
  }
}

/** Undefined where there is none that can be read: a report that says less is no reason to fail. */
function readSaved(path: string): Saved | undefined {
  try {
    return savedSchema.safeParse(parseJson(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw asDiskError("read", path, error);
  }
}
