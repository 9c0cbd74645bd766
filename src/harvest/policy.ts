/**
 * What may be published: one rule for each situation at the end of a run (docs/walk.md, section 6).
 *
 * `npm run format` prints the table into the documentation. Every situation has exactly one rule.
 */
import { EXIT } from "../contract/errors.ts";
import { EMBEDDED, isComplete, type HarvestFact } from "../contract/facts.ts";
import type { Selection } from "../contract/window.ts";
import type { Missing, PublishedSnapshot } from "../snapshot/index.ts";
import { becomesCurated, contains } from "./selection.ts";

/** What is published when a run begins. A collection is whole once a run has read it to its end. */
export const PUBLISHED = {
  nothing: "nothing",
  part: "a part of this collection",
  whole: "this collection",
  examples: "the embedded examples",
  other: "another collection",
  forgotten: "a collection, and the run reads the embedded examples",
} as const;

/** How the selection of a run compares with the published one. */
export const SELECTION = {
  includes: "includes the published one",
  narrower: "is narrower",
  curated: "is newly curated",
} as const;

/** How far a run has read: `partial` was cut short with quotes, `none` without. */
export const READ = {
  complete: "complete",
  "best-effort": "best-effort",
  partial: "partial",
  none: "cut short without a quote",
} as const;

/** Why a run is refused. `--allow-shrink` lifts all of them. */
export const GUARDS = {
  forgotten: "always, before the first request",
  empty: "the run read no quote",
  shrink: "too many quotes are gone",
  fields: "too many quotes lost a field",
  replacement: "the collection is much smaller than the published one",
} as const;

/** What happens to published quotes that the run did not see; `none` where the new snapshot begins without them. */
export const UNSEEN: Readonly<Record<Missing | "none", string>> = {
  keep: "stay",
  "keep selected": "stay if the selection includes them",
  "remove gone": "are removed once they are known to be gone",
  "remove all": "are removed",
  none: "are removed",
};

type Published = keyof typeof PUBLISHED;
type SelectionChange = keyof typeof SELECTION;
type Guard = keyof typeof GUARDS;

export interface Situation {
  readonly published: Published;
  readonly selection: SelectionChange;
  readonly read: keyof typeof READ;
  /** `--allow-partial`: a part of a collection may be published where there is no whole one. */
  readonly allowPartial: boolean;
}

export interface Rule {
  /** The situations of the rule; where a list is absent, all of them. */
  readonly when: { readonly [Key in keyof Situation]?: readonly Situation[Key][] };
  /** `merge` adds to the published quotes, `replace` puts others in their place, `stay` publishes nothing. */
  readonly action: "merge" | "replace" | "stay";
  readonly unseen: Missing | "none";
  readonly guards: readonly Guard[];
  /** Exit status where no guard refuses; a refusal has 65. */
  readonly status: typeof EXIT.done | typeof EXIT.stopped;
}

const OWN = ["part", "whole"] as const;
const NOT_WHOLE = ["nothing", "part", "examples", "other", "forgotten"] as const;
const INCLUDES = ["includes"] as const;

/** Publishes what a run read in the place of what is published. */
const replaces = (when: Rule["when"], guards: readonly Guard[], unseen: Rule["unseen"] = "none") =>
  ({ when, action: "replace", unseen, guards, status: EXIT.done }) satisfies Rule;

/** Adds what a run read to what is published. */
const merges = (when: Rule["when"], guards: readonly Guard[], unseen: Missing = "keep") =>
  ({ when, action: "merge", unseen, guards, status: EXIT.done }) satisfies Rule;

/** Publishes nothing: what is published stays. */
const stays = (when: Rule["when"], status: Rule["status"]) =>
  ({ when, action: "stay", unseen: "keep", guards: [], status }) satisfies Rule;

const READ_TO_END = ["complete", "best-effort"] as const;
const PARTIAL = { read: ["partial"], allowPartial: [true] } as const;

export const RULES: readonly Rule[] = [
  replaces({ published: ["nothing", "examples"], read: READ_TO_END }, ["empty"]),
  replaces({ published: ["other"], read: READ_TO_END }, ["empty", "replacement"]),
  replaces({ published: ["forgotten"], read: READ_TO_END }, ["forgotten", "empty"]),
  replaces(
    { published: OWN, selection: ["includes", "narrower"], read: ["complete"] },
    ["empty", "shrink", "fields"],
    "remove gone",
  ),
  // Records do not show whether they are curated, so nothing shows why a quote is missing.
  replaces(
    { published: OWN, selection: ["curated"], read: ["complete"] },
    ["empty", "fields"],
    "remove all",
  ),
  merges({ published: OWN, selection: INCLUDES, read: ["best-effort"] }, ["empty", "fields"]),
  merges(
    { published: OWN, selection: ["narrower"], read: ["best-effort"] },
    ["empty", "fields"],
    "keep selected",
  ),
  replaces({ published: OWN, selection: ["curated"], read: ["best-effort"] }, ["empty"]),
  merges({ published: ["whole"], selection: INCLUDES, read: ["partial"] }, ["fields"]),
  stays({ published: ["whole"], selection: ["narrower", "curated"], read: ["partial"] }, EXIT.done),
  stays({ published: ["whole"], read: ["none"] }, EXIT.done),
  merges({ published: ["part"], selection: INCLUDES, ...PARTIAL }, ["fields"]),
  merges({ published: ["part"], selection: ["narrower"], ...PARTIAL }, ["fields"], "keep selected"),
  replaces({ published: ["part"], selection: ["curated"], ...PARTIAL }, []),
  replaces({ published: ["nothing", "examples"], ...PARTIAL }, []),
  replaces({ published: ["other"], ...PARTIAL }, ["replacement"]),
  replaces({ published: ["forgotten"], ...PARTIAL }, ["forgotten"]),
  stays({ published: NOT_WHOLE, read: ["partial"], allowPartial: [false] }, EXIT.stopped),
  stays({ published: NOT_WHOLE, read: ["none"] }, EXIT.stopped),
];

/** All rules of a situation: the table has exactly one. */
export function rulesFor(situation: Situation): readonly Rule[] {
  const holds = <Key extends keyof Situation>(
    when: Rule["when"],
    key: Key,
    value: Situation[Key],
  ): boolean => when[key]?.includes(value) ?? true;
  return RULES.filter(
    ({ when }) =>
      holds(when, "published", situation.published) &&
      holds(when, "selection", situation.selection) &&
      holds(when, "read", situation.read) &&
      holds(when, "allowPartial", situation.allowPartial),
  );
}

/** What may happen in a situation, with the guards that are left with `--allow-shrink`: none. */
export function decide(situation: Situation, allowShrink: boolean): Rule {
  const [rule] = rulesFor(situation);
  if (rule === undefined) throw new Error(`No rule for ${JSON.stringify(situation)}`);
  if (!allowShrink) return rule;
  const unseen = rule.unseen === "remove gone" ? "remove all" : rule.unseen;
  return { ...rule, unseen, guards: [] };
}

/** Whether a snapshot has every quote of its selection. */
export function wasReadWhole(snapshot: PublishedSnapshot | null): boolean {
  const label = snapshot?.fact("harvest")?.label;
  return snapshot?.fact("complete") !== undefined || label === "best-effort";
}

/**
 * @param service of this run, as in the state
 * @param source of the published snapshot; undefined where it does not say
 */
export function publishedBefore(
  snapshot: PublishedSnapshot | null,
  service: string,
  source: string | undefined,
): Published {
  if (snapshot === null) return "nothing";
  if (source === undefined || source === service) return wasReadWhole(snapshot) ? "whole" : "part";
  if (source === EMBEDDED) return "examples";
  return service === EMBEDDED ? "forgotten" : "other";
}

export function selectionChange(before: Selection | undefined, now: Selection): SelectionChange {
  if (before === undefined || contains(now, before)) return "includes";
  return becomesCurated(before, now) ? "curated" : "narrower";
}

/** @param quotesSeen quotes of the run in all */
export function readOf(label: HarvestFact["label"], quotesSeen: number): Situation["read"] {
  if (isComplete(label)) return "complete";
  if (label === "best-effort") return label;
  return quotesSeen === 0 ? "none" : "partial";
}
