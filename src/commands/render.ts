/** `npm run render`: the pages alone, from the snapshot that stands. */
import type { RenderReport } from "../release/render/render.ts";
import { dropReport, restoreReport, withdrawReport } from "../release/report-file.ts";
import { COMMON_OPTIONS, HOST_OPTIONS } from "../settings/tables.ts";
import type { HostReport } from "../release/hosts/tell-host.ts";
import { fittedSettings } from "./host/fitted.ts";
import { describeHost, tellHostOf } from "./host/tell.ts";
import type { Program } from "./program.ts";
import { renderFromSnapshot } from "./render-site.ts";
import { runStages } from "./stages.ts";

export const renderProgram: Program = {
  name: "render",
  summary: "Makes the pages from the snapshot; needs no network.",
  options: { ...COMMON_OPTIONS, ...HOST_OPTIONS },
  async run({ settings: asked, signal }) {
    const { settings, fit } = fittedSettings(asked);
    let report: RenderReport | undefined;
    let host: HostReport | null = null;
    const stage = {
      title: "Render",
      run: async (say: (line: string) => void) => {
        // Pages that nobody audited are not what `build.json` speaks of.
        withdrawReport(settings.outDir);
        report = await renderFromSnapshot(settings, { signal, say });
        if (settings.shard === null) host = tellHostOf(settings);
        const { added, changed, removed } = report.changes;
        const others = host?.changed ?? 0;
        if (added + changed + removed + others === 0) restoreReport(settings.outDir);
        else dropReport(settings.outDir);
      },
    };
    await runStages([stage], settings.output.quiet);
    if (report === undefined) throw new Error("a render that ended gave no report");
    const lines = [
      ...(fit === null ? [] : [fit]),
      describeRender(report),
      ...(host === null ? [] : [describeHost(host)]),
    ];
    return { text: lines.join("\n"), result: { ...report, fit, host } };
  },
};

export function describeRender({ pages, rendered, changes }: RenderReport): string {
  const { added, changed, removed } = changes;
  return `${pages} pages, ${rendered} rendered: ${added} new, ${changed} changed, ${removed} removed`;
}
