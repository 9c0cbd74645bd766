/** Describes the results of stages in a few lines, for the terminal. */
import { counted } from "../util/text.ts";
import type { AuditReport } from "../audit/audit.ts";
import { ADVICE, lineOf, type FindingKind } from "../audit/finding.ts";
import { EXIT } from "../contract/errors.ts";
import type { CollectionChange } from "../contract/facts.ts";
import type { HarvestResult } from "../contract/results.ts";
import type { PictureReport } from "../images/thumbnails.ts";
import type { StageResults } from "./reporting/make-report.ts";

/** Findings shown of each kind. */
const EXAMPLES = 3;

export function describeMade(made: StageResults, outDir: string): string[] {
  const { pictures, cards, render, merge, search, host, audit, report } = made;
  return [
    merge &&
      `${counted(merge.shares, "shard")}, ${counted(merge.files, "file")}: ${describeChanges(merge.changes)}`,
    pictures && describePictures(pictures),
    cards &&
      `${counted(cards.made + cards.reused, "Open Graph image")}: ${cards.made} made, ${cards.reused} reused, ${cards.skipped} pages have none`,
    cards?.unlike === true &&
      "Open Graph images come out otherwise here than on other machines: build this site always on one of them, or all images are drawn anew (docs/platforms.md)",
    render &&
      `${counted(render.pages, "page")}, ${render.rendered} rendered${render.bundle === "kept" ? " with the bundle of an earlier build" : ""}: ${describeChanges(render.changes)}`,
    search &&
      `${counted(search.pages, "page")} to search, ${counted(search.languages, "language")}, ${search.indexed} indexed`,
    search?.fault &&
      `Search does not answer, because its index could not be made here: ${search.fault}; the rest of the site is complete (docs/platforms.md)`,
    host &&
      `${counted(host.headerRules, "header rule")} and ${counted(host.redirects, "redirect")} for the host` +
        (host.kept.length === 0 ? "" : `; kept as they are: ${host.kept.slice(0, 3).join(", ")}`),
    audit && describeAudit(audit),
    report &&
      `${counted(report.files, "file")}, ${(report.bytes / 1e6).toFixed(1)} MB in ${outDir}`,
  ].filter((line) => typeof line === "string");
}

type Changes = Omit<CollectionChange, "deselected">;

const describeChanges = ({ added, changed, removed }: Changes): string =>
  `${added} new, ${changed} changed, ${removed} removed`;

export function describeHarvest({ harvest: fact, ...result }: HarvestResult): string {
  const outcome = result.published
    ? `${counted(result.quotes, "quote")} published: ${describeChanges(result.change)}`
    : "nothing published";
  const lines = [
    `${fact.label} (${fact.assumption})`,
    `${outcome}; ${counted(fact.requests, "request")}`,
  ];
  // The last line of the command gives the reason where nothing could be published.
  if (result.stopped !== null && result.exitStatus === EXIT.done) lines.push(result.stopped);
  if (fact.quarantined > 0) lines.push(`${counted(fact.quarantined, "record")} could not be read`);
  for (const { offset, reason } of result.quarantined) lines.push(`  at ${offset}: ${reason}`);
  return [...lines, ...result.remarks].join("\n");
}

export function describePictures({ addresses, made, reused, failures }: PictureReport): string {
  const failed = addresses - made - reused;
  return [
    `${counted(addresses, "picture")}: ${made} made, ${reused} reused, ${failed} failed`,
    ...failures.map(({ address, reason, detail }) => `  ${address}: ${reason}, ${detail}`),
  ].join("\n");
}

/** A line for each kind of finding with advice, and the first few findings of the kind. */
export function describeAudit(report: AuditReport): string {
  const { pages, unchanged, total, secrets } = report;
  const short = secrets.tooShort.map(
    (name) => `${name} is too short to search for: fewer than 8 characters occur anywhere`,
  );
  const searched =
    secrets.searched.length === 0 ? "" : `; ${secrets.searched.join(", ")} searched for`;
  const found = total === 0 ? "nothing found" : counted(total, "finding");
  const passed = unchanged === 0 ? "" : ` (${unchanged} passed before and did not change)`;
  const result = `${counted(pages, "page")} audited${passed}, ${found}${searched}`;
  return [...kindsOf(report), ...short, result].join("\n");
}

function kindsOf({ counts, findings }: AuditReport): string[] {
  return Object.entries(counts).flatMap(([kind, count]) => {
    const examples = findings.filter((finding) => finding.kind === kind).slice(0, EXAMPLES);
    const left = count - examples.length;
    return [
      `${kind}, ${count}: ${ADVICE[kind as FindingKind]}`,
      ...examples.map((finding) => `  ${lineOf(finding)}`),
      ...(left > 0 ? [`  … and ${left} more`] : []),
    ];
  });
}
