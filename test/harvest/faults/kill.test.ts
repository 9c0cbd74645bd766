/**
 * The kill campaign (docs/walk.md, sections 9 and 10): killed anywhere between the first write and the last, what is published is
 * the old snapshot or the new one, whole; and the next run publishes what an undisturbed one would.
 *
 * It kills at every call around the renames, and `KILLS` times elsewhere: `KILLS=1000 SEED=7 npx vitest run
 * test/harvest/faults/kill.test.ts`.
 */
// @module-tag sized
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openPublished } from "../../../src/snapshot/index.ts";
import { toWire } from "../../../src/contract/quote.ts";
import { seeded, tempFolder } from "../../support/run/index.ts";
import { batched } from "../../support/tier.ts";
import { collectionAt, harvestNight, programOf, published } from "./night.ts";
import { callsOf, isRename, killAt, STRACE_WORKS, type SystemCall } from "./strace.ts";

const { count: KILLS, batches, timeout } = batched("KILLS", 2, 60, 10);
const SEED = Number(process.env["SEED"] ?? 20_261_121);

/** Calls before the first rename, and after the last, at which to kill too. */
const AROUND = KILLS > 2 ? 8 : 1;

const FAULT = ["--import", join(import.meta.dirname, "late-snapshot.ts")];

const campaign = test.skipIf(!STRACE_WORKS);
const [before, after] = [collectionAt(0), collectionAt(1)];
let first = "";

function copyOfFirst(): string {
  const state = tempFolder();
  cpSync(first, state, { recursive: true });
  return state;
}

/** Calls of a night that was not killed. */
let calls: SystemCall[] = [];

beforeAll(() => {
  if (!STRACE_WORKS) return;
  first = tempFolder();
  expect(spawnSync(process.execPath, programOf(first, 0), { stdio: "inherit" }).status).toBe(0);
  calls = callsOf(programOf(copyOfFirst(), 1));
});

/** What is wrong with a state whose harvest was killed; null where it is the old snapshot or the new one. */
function faultOf(state: string): string | null {
  try {
    using snapshot = openPublished(state);
    const left = JSON.stringify([...(snapshot?.all() ?? [])].map(toWire));
    const isWhole = [before, after].some((quotes) => JSON.stringify(quotes) === left);
    return isWhole ? null : "it publishes another collection";
  } catch (error) {
    return String(error);
  }
}

async function expectWholeAfter(call: SystemCall): Promise<void> {
  const state = copyOfFirst();
  const { signal, last } = killAt(programOf(state, 1), call);
  const where = `${call.name} ${call.count} (${call.text}; SEED=${SEED})`;
  expect(signal, where).toBe("SIGKILL");
  expect([last?.name, last?.count], where).toEqual([call.name, call.count]);
  expect(faultOf(state), where).toBeNull();
  expect(await harvestNight(state, 1), where).toBe(0);
  expect(published(state), where).toEqual(after);
  const stray = readdirSync(join(state, "snapshots")).filter((name) => !name.endsWith(".sqlite"));
  expect(stray, where).toEqual([]);
}

campaign(
  "needs strace: killed at every call around the renames, what is published is whole",
  async () => {
    const from = calls.findIndex(isRename) - AROUND;
    const around = calls.slice(from, calls.findLastIndex(isRename) + 1 + AROUND);
    expect(around.filter(isRename)).toHaveLength(2);
    for (const call of around) await expectWholeAfter(call);
    process.stdout.write(`${around.length} of ${around.length} killed around the renames\n`);
  },
  timeout,
);

campaign.each(batches)(
  "needs strace: killed $count times at another call, from $first on, nothing is lost",
  async ({ first, count }) => {
    const random = seeded(SEED + first);
    for (let kill = first; kill < first + count; kill++) {
      const call = calls[Math.floor(((kill + random()) / KILLS) * calls.length)];
      if (call !== undefined) await expectWholeAfter(call);
    }
    process.stdout.write(`${count} of ${count} killed at any call\n`);
  },
  timeout,
);

campaign("needs strace: the campaign finds a pointer that is written before its snapshot", () => {
  const found = [1, 2].map((count) => {
    const state = copyOfFirst();
    const { signal } = killAt([...FAULT, ...programOf(state, 1)], { name: "rename", count });
    expect(signal).toBe("SIGKILL");
    return faultOf(state);
  });
  expect(found).toEqual([null, expect.stringContaining("it is missing")]);
});
