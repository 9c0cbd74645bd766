/** The table of docs/walk.md that says what a run may publish. */
import { GUARDS, PUBLISHED, READ, RULES, SELECTION, UNSEEN } from "../../src/harvest/policy.ts";

/** Names some of a few things, or the one that is not among them. */
function listed<Key extends string>(
  names: Readonly<Record<Key, string>>,
  some: readonly Key[] | undefined,
): string {
  if (some === undefined) return "any";
  const others = (Object.keys(names) as Key[]).filter((key) => !some.includes(key));
  const [other] = others;
  return some.length > 3 && other !== undefined && others.length === 1
    ? `all but ${names[other]}`
    : some.map((key) => names[key]).join("; ");
}
export const PUBLISHING_HEAD = [
  "published now",
  "selection of the run",
  "the run read",
  "action",
  "published quotes that it did not see",
  "refused with 65 if",
  "else status",
];

export function publishingRows(): string[][] {
  return RULES.map(({ when, action, unseen, guards, status }) => {
    const [allowed] = when.allowPartial ?? [];
    const flag = { true: ", with `--allow-partial`", false: ", without `--allow-partial`" };
    return [
      listed(PUBLISHED, when.published),
      listed(SELECTION, when.selection),
      listed(READ, when.read) + (allowed === undefined ? "" : flag[`${allowed}`]),
      action,
      action === "stay" ? "stay" : UNSEEN[unseen],
      guards.map((guard) => GUARDS[guard]).join("; "),
      String(status),
    ];
  });
}
