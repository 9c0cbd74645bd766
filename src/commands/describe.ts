/** What the stages of a site came to, for a person: a line each, or a few. */
import type { MergeReport } from "../render/merge.ts";
import type { RenderReport } from "../render/rendering.ts";
import { describeAudit } from "./auditing/describe.ts";
import { describeOgImages } from "./og-images.ts";
import { describeHost } from "./host/prepare.ts";
import type { Made } from "./site-stages.ts";
import { describePictures } from "./thumbnails.ts";

/** Only of the stages that ran. */
export function describeMade(made: Made, outDir: string): string[] {
  const { fit, pictures, cards, render, merge, search, host, audit, report } = made;
  return [
    fit,
    merge && describeMerge(merge),
    pictures && describePictures(pictures),
    cards && describeOgImages(cards),
    render && describeRender(render),
    search &&
      `${search.pages} pages to search, ${search.languages} languages, ${search.indexed} indexed`,
    host && describeHost(host),
    audit && describeAudit(audit),
    report && `${report.files} files, ${(report.bytes / 1e6).toFixed(1)} MB in ${outDir}`,
  ].filter((line) => typeof line === "string");
}

function describeRender({ pages, rendered, changes }: RenderReport): string {
  const { added, changed, removed } = changes;
  return `${pages} pages, ${rendered} rendered: ${added} new, ${changed} changed, ${removed} removed`;
}

function describeMerge({ shares, files, changes }: MergeReport): string {
  const { added, changed, removed } = changes;
  return `${shares} shards, ${files} files: ${added} new, ${changed} changed, ${removed} removed`;
}
