/**
 * Nights without a human: each is a real build against the embedded service, with faults, throttling, drift, an
 * outage, a collapse, new schemas, kills, a full disk and reports. The small form has one of
 * each trouble that no other test has as a whole build; 23 nights have all of them.
 *
 * `NIGHTS=300 SEED=7 npx vitest run test/nights` goes on after these with drills of nights by chance.
 */
// @module-tag sized
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPointer, snapshotPath } from "../../src/snapshot/published/pointer.ts";
import { resize, temporaryMount, unmount } from "../support/full-disk.ts";
import { type Finished, run, seeded, start } from "../support/run/index.ts";
import {
  anyNight,
  BUDGET,
  FIRST_NIGHTS,
  SHORT_NIGHTS,
  type Night,
  type Stage,
} from "./calendar.ts";
import { sized } from "../support/tier.ts";
import { FaultProxy } from "./proxy.ts";
import { Checks } from "./checks.ts";
import { DrillCollection } from "./collection.ts";

const { count: NIGHTS, timeout } = sized("NIGHTS", SHORT_NIGHTS.length, 53);
const SEED = Number(process.env["SEED"] ?? 20_261_121);
/** Quotes, and those of a page: as many requests in either size. */
const [SIZE, PAGE] = NIGHTS > SHORT_NIGHTS.length ? [180, 30] : [90, 15];
const DAY_MS = 86_400_000;
const FIRST = Date.parse("2026-01-01T03:17:00Z");
const DISK_KILOBYTES = 400_000;

/** Of a drill by chance, each with a state and a seed of its own. */
const BY_CHANCE = 30;

const CALM: Night = { name: "a calm night", ends: [0], budget: 200 };

interface Drill {
  readonly seed: number;
  readonly count: number;
  readonly nights: (random: () => number) => Night[];
}

/** The nights that are always the same, and what is left of `NIGHTS` by chance. */
function drills(): Drill[] {
  const known = NIGHTS < FIRST_NIGHTS.length ? SHORT_NIGHTS : FIRST_NIGHTS;
  const left = Math.max(0, NIGHTS - known.length);
  return [
    { seed: SEED, count: known.length, nights: () => [...known] },
    ...Array.from({ length: Math.ceil(left / BY_CHANCE) }, (_, at): Drill => {
      const count = Math.min(BY_CHANCE, left - at * BY_CHANCE);
      const nights = (random: () => number): Night[] => [
        CALM,
        ...Array.from({ length: count - 3 }, () => anyNight(random)),
        // A walk that began in a bad night ends with what could not be read then; the next one begins anew.
        { ...CALM, ends: [0, 69] },
        CALM,
      ];
      return { seed: SEED + at + 1, count, nights };
    }),
  ];
}

test.each(drills())(
  "$count nights (SEED=$seed): no hole is published, nothing is lost, nothing reported comes back",
  async ({ seed, count, nights }) => {
    const random = seeded(seed);
    const folder = mkdtempSync(join(tmpdir(), "commonplace-nights-"));
    const small = temporaryMount(DISK_KILOBYTES, folder) !== null;
    const [stateDir, outDir] = [join(folder, "state"), join(folder, "dist")];
    const collection = await DrillCollection.begin(SIZE, PAGE, random);
    const proxy = new FaultProxy(collection, random);
    onTestFinished(async () => {
      await Promise.all([proxy.shut(), collection.service.close()]);
      if (small) unmount(folder);
      rmSync(folder, { recursive: true, force: true });
    });
    const checks = new Checks(collection, stateDir, outDir);
    let notBefore = 0;
    const stage: Stage = {
      collection,
      proxy,
      stateDir,
      ban: (ms) => (notBefore = Math.max(notBefore, collection.now() + ms)),
      damage: () => truncateSync(snapshotPath(stateDir, readPointer(stateDir) ?? ""), 5_000),
    };
    let spent = 0;
    for (const [index, night] of nights(random).entries()) {
      const moment = FIRST + index * DAY_MS;
      collection.setClock(moment - DAY_MS / 2);
      proxy.faults = night.faults ?? null;
      proxy.driftPerCall = night.drift ?? 0;
      await night.day?.(stage);
      await (night.shut === true ? proxy.shut() : proxy.open());
      if (night.disk !== undefined && small) resize(folder, usedIn(folder) + night.disk);
      collection.setClock(moment);
      const [budget, forbidden] = [night.budget ?? BUDGET, notBefore];
      proxy.calls = [];
      const args = ["--base-url", proxy.url, "--state", stateDir, "--out", outDir];
      args.push("--max-requests", String(budget), "--max-wait", "20");
      const env = { SITE_NOW: new Date(moment).toISOString(), SITE_CARDS: "0", NO_COLOR: "1" };
      // Nights can share a process, which costs a third; some have their own all the same.
      const shared = night.kill === undefined && night.disk === undefined && index % 30 !== 1;
      proxy.onCall = () => undefined;
      const ended = shared
        ? await run("build", args, env)
        : await buildAlone(proxy, night, random, { args, env });
      if (small) resize(folder, DISK_KILOBYTES);
      const ends = night.disk !== undefined && !small ? [0] : night.ends;
      const { calls } = proxy;
      const wrong = checks.check({
        ...{ night: { ...night, ends }, budget, ended, calls, moment },
        notBefore: forbidden,
      });
      spent += calls.length;
      expect(wrong, `night ${index + 1}, ${night.name} (SEED=${seed})`).toEqual([]);
    }
    if (seed === SEED) expect(spent).toBeLessThanOrEqual(22 * count);
    expect(checks.difference()).toEqual([]);
    const audit = await run("audit", [
      "--base-url",
      proxy.url,
      "--state",
      stateDir,
      "--out",
      outDir,
    ]);
    expect(audit.status, audit.stdout).toBe(0);
  },
  timeout,
);

/** Runs `npm run build` in a process of its own, which may be killed. */
function buildAlone(
  proxy: FaultProxy,
  { kill }: Night,
  random: () => number,
  { args, env }: { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
): Promise<Finished> {
  // With a credential pages are rendered by a process of their own.
  const { child, finished } = start("build", args, { ...env, QUOTES_TOKEN: "token-of-the-nights" });
  const end = (): void => void child.kill("SIGKILL");
  const last = 2 + Math.floor(random() * 4);
  proxy.onCall = (call) => {
    if (kill === "harvest" && call === last) end();
  };
  const delayMs = random() * 400;
  child.stderr.on("data", (lines: Buffer) => {
    if (kill === "render" && lines.includes("Render")) setTimeout(end, delayMs);
  });
  return finished;
}

const usedIn = (folder: string): number =>
  Number(spawnSync("df", ["-k", "--output=used", folder]).stdout.toString().split("\n")[1]);
