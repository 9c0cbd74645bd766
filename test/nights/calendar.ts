/**
 * What happens on which night. The first of them are always the same, so that each trouble is met; a longer drill goes on
 * with nights drawn by chance.
 */
import { busy, faulty, quota, SCHEMAS, type FaultProxy, type FaultPlan } from "./proxy.ts";
import type { DrillCollection } from "./collection.ts";

export interface Night {
  readonly name: string;
  /** Statuses that are right; null for a build that was killed. */
  readonly ends: readonly (number | null)[];
  readonly budget?: number;
  readonly faults?: FaultPlan;
  /** Changes of the collection before each call. */
  readonly drift?: number;
  /** What happens during the day before. */
  readonly day?: (stage: Stage) => void | Promise<void>;
  readonly shut?: boolean;
  readonly kill?: "harvest" | "render";
  /** Leaves the disk so many kilobytes. */
  readonly disk?: number;
  /** The published snapshot was broken: what it alone held may be missing until it is read again. */
  readonly damaged?: true;
}

export interface Stage {
  readonly collection: DrillCollection;
  readonly proxy: FaultProxy;
  readonly stateDir: string;
  /** Asks that nothing be sent for so long. */
  readonly ban: (ms: number) => void;
  readonly damage: () => void;
}

/** Sixteen calls a night are 480 a month: less than the smallest free plan that is known. */
export const BUDGET = 16;

const done = { ends: [0] };
const down = { ends: [69] };
const reports = async ({ collection }: Stage): Promise<void> => {
  for (let n = 0; n < 3; n++) await collection.report();
};
const changes = ({ collection }: Stage): void => {
  for (let n = 0; n < 12; n++) collection.drift();
};
const moving = { day: changes, drift: 1 };
const thinAndFaulty = { budget: 3, faults: faulty(0.3), ...moving };
const closed = (days: number, calls: number) => ({
  day: ({ proxy, ban }: Stage) => void (proxy.faults = quota(calls, days, ban)),
});
const schema = (name: string, status: number): Night => ({
  name: `a new schema: ${name}`,
  ends: [status],
  ...(SCHEMAS[name] === undefined ? {} : { faults: SCHEMAS[name] }),
});

export const FIRST_NIGHTS: readonly Night[] = [
  { name: "the first night, too short", ends: [75], budget: 4 },
  { name: "the first whole one", ...done },
  { name: "changes by day and by night, and faults", ...done, faults: faulty(0.4), ...moving },
  { name: "the first month's quota is used up", ...done, ...closed(2.5, 5), drift: 1 },
  { name: "nothing may be asked", ...done },
  { name: "the quota is back", ...done, drift: 1 },
  { name: "an outage: refused", ...down, shut: true, day: changes },
  { name: "an outage: busy", ...down, faults: busy },
  { name: "recovery on a thin budget, and reports", ...done, budget: 3, day: reports },
  { name: "killed while reading", ends: [null], kill: "harvest" },
  { name: "after the kill, on a thin budget with faults", ...done, ...thinAndFaulty },
  { name: "drift", ...done, drift: 1 },
  { name: "a collapse", ends: [65], day: ({ collection }) => collection.collapse() },
  { name: "a collapse, still", ends: [65] },
  { ...schema("the text has another name", 69), day: ({ collection }) => collection.recover() },
  schema("keys are text", 69),
  schema("authors have another name", 65),
  { name: "the old schema", ...done, day: changes },
  { name: "a full disk", ends: [74], disk: 8, day: changes },
  { name: "killed while rendering", ends: [null, 0], kill: "render", day: changes },
  { name: "reports, all gone by the end", ...done, budget: 24, day: reports },
  {
    name: "the published snapshot is damaged",
    ...done,
    budget: 3,
    damaged: true,
    day: ({ damage }) => damage(),
  },
  { name: "a calm night", ...done, budget: 40 },
];

/** The nights of the small form, in order. Kills, full disks, quotas and damage have tests of their own. */
const SHORT = [
  "the first night, too short",
  "the first whole one",
  "changes by day and by night, and faults",
  // A whole walk, which the collapse is compared with.
  "drift",
  "a collapse",
  "a new schema: the text has another name",
  "the old schema",
  "reports, all gone by the end",
];

export const SHORT_NIGHTS = FIRST_NIGHTS.filter(({ name }) => SHORT.includes(name));

const RARE: readonly Night[] = [
  ...Object.keys(SCHEMAS).map((name) => schema(name, 65)),
  { name: "an outage: refused", ...down, shut: true },
  { name: "an outage: busy", ...down, faults: busy },
  { name: "killed while reading", ends: [null], kill: "harvest" },
  { name: "killed while rendering", ends: [null], kill: "render" },
  {
    name: "the published snapshot is damaged",
    ...done,
    damaged: true,
    day: ({ damage }) => damage(),
  },
  { name: "the quota is used up", ...done, ...closed(1.5, 4) },
  { name: "a full disk", ends: [74], disk: 64 },
];

const USUAL: readonly Night[] = [
  { name: "drift", ...done, drift: 2 },
  { name: "faults", ...done, faults: faulty(0.4), drift: 1 },
  { name: "a thin budget", ...done, budget: 4, drift: 1 },
  { name: "reports", ...done, day: reports, drift: 1 },
  { name: "changes by day", ...done, day: changes },
];

/** A night by chance: one in four is a bad one, and which statuses are right depends on those before it. */
export function anyNight(random: () => number): Night {
  const from = random() < 0.25 ? RARE : USUAL;
  const night = from[Math.floor(random() * from.length)] ?? { name: "a calm night", ends: [] };
  const bad = from === RARE;
  // A walk in its middle merges what it has; a quota may forbid every call; a kill may come too late.
  return { ...night, ends: bad ? [...new Set([...night.ends, 0, 65, 69])] : night.ends };
}
