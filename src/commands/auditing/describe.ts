/** What an audit found, for a person: a line for each kind with what to do about it, and the first few of each. */
import type { AuditReport } from "../../audit/audit.ts";
import { ADVICE, lineOf, type FindingKind } from "../../audit/finding.ts";

const EXAMPLES = 3;

export function describeAudit(report: AuditReport): string {
  const { pages, unchanged, total, secrets } = report;
  const short = secrets.tooShort.map(
    (name) => `${name} is too short to be searched for: fewer than 8 characters are found anywhere`,
  );
  const searched =
    secrets.searched.length === 0 ? "" : `; ${secrets.searched.join(", ")} searched for`;
  const found = total === 0 ? "nothing found" : `${total} findings`;
  const passed = unchanged === 0 ? "" : ` (${unchanged} passed before and did not change)`;
  const result = `${pages} pages audited${passed}, ${found}${searched}`;
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
