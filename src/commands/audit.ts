/** `npm run audit`: checks the finished site and prints the findings. */
import { withMore, type AuditReport } from "../audit/audit.ts";
import { describeAudit } from "./describe.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { linesOf, sourceNote } from "./reporting/notes.ts";
import { continueRun, reportRun } from "./reporting/run-record.ts";
import { auditOutput, settleAudit } from "./site-audit.ts";
import { runStages, type Stage } from "./stages.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const { output, ci } = settings;
  const record = continueRun(settings, signal);
  let report: AuditReport | undefined;
  const files: Stage = {
    title: "Audit",
    run: async (showProgress) => {
      const how = { all: options.auditAll === true, signal };
      report = await auditOutput(record.settings, showProgress, how);
    },
  };
  const inBrowser: Stage = {
    title: "Browser",
    run: async (showProgress) => {
      if (report === undefined) return;
      // The browser is a development dependency; files can be audited without it.
      const { auditOutputInBrowser } = await import("./browser-audit.ts");
      report = withMore(report, await auditOutputInBrowser(record.settings, showProgress));
    },
  };
  const stages = options.browser === true ? [files, inBrowser] : [files];
  await runStages(stages, output.quiet, record.stages);
  if (report === undefined) throw new Error("an audit that ended gave no report");
  const refusal = settleAudit(record, report);
  // In CI the audit is the last step of a run, which writes the history.
  if (ci.annotations || ci.summaryFile !== null) await reportRun(record, refusal);
  const notes = linesOf({ source: sourceNote(settings) });
  return { text: [...notes, describeAudit(report)].join("\n"), result: report, refusal };
}
