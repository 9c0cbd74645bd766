/** `npm run merge`: shares of the pages, each rendered on a machine of its own, joined into one site. */
import { mergeShares } from "../release/render/shards/merge.ts";
import { COMMON_OPTIONS, HOST_OPTIONS, MERGE_OPTIONS } from "../settings/tables.ts";
import { dealtSettings } from "./host/fitted.ts";
import { describeHost, tellHostOf } from "./host/tell.ts";
import type { Program } from "./program.ts";

/** Where CI systems put what earlier jobs left, one folder each. */
const DEFAULT_PARTS = "shards";

export const mergeProgram: Program = {
  name: "merge",
  summary: "Joins the pages that several machines rendered with --shard.",
  options: { ...COMMON_OPTIONS, ...HOST_OPTIONS, ...MERGE_OPTIONS },
  run({ settings, options }) {
    const parts = (options["parts"] as string | undefined) ?? DEFAULT_PARTS;
    const { stateDir, outDir } = settings;
    const report = mergeShares({ parts, stateDir, outDir });
    const { added, changed, removed } = report.changes;
    const host = tellHostOf(dealtSettings(settings));
    const text = `${report.shares} shards, ${report.files} files: ${added} new, ${changed} changed, ${removed} removed`;
    return Promise.resolve({
      text: host === null ? text : `${text}\n${describeHost(host)}`,
      result: { ...report, host },
    });
  },
};
