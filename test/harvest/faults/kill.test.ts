/**
 * The kill campaign (docs/walk.md, sections 9 and 10): killed anywhere between the first write and the last, what is published is
 * the old snapshot or the new one, whole; and the next run publishes what an undisturbed one would.
 *
 * `KILLS=1000 npx vitest run test/harvest/faults/kill.test.ts` kills more often; `SEED` elsewhere.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectionAt, harvestNight, programOf, published } from "./night.ts";
import { tempFolder, seeded } from "../../support/run/index.ts";

const KILLS = Number(process.env["KILLS"] ?? 12);
const SEED = Number(process.env["SEED"] ?? 20_261_121);

/** System calls by which a harvest changes its state. */
const MUTATING = "pwrite64,rename,unlink,ftruncate,fsync,fdatasync,mkdir";

const STRACE_WORKS = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

function countCalls(args: readonly string[]): number {
  const log = join(tempFolder(), "calls");
  traced(["-o", log, "-e", `trace=${MUTATING}`], args);
  return readFileSync(log, "utf8").split("\n").length;
}

/** Runs it again and kills it at the given one of those calls. */
function killAtCall(args: readonly string[], call: number): void {
  const inject = `inject=${MUTATING}:signal=SIGKILL:when=${call}`;
  traced(["-o", "/dev/null", "-e", `trace=${MUTATING}`, "-e", inject], args);
}

function traced(options: readonly string[], args: readonly string[]): void {
  const strace = ["-f", "--seccomp-bpf", ...options, process.execPath, ...args];
  spawnSync("strace", strace, { stdio: "ignore" });
}

async function killedAfter(state: string, night: number, ms: number): Promise<void> {
  const child = spawn(process.execPath, programOf(state, night), { stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await once(child, "exit");
  clearTimeout(timer);
}

const where = STRACE_WORKS ? "a random mutating system call" : "a random moment";

test(`killed ${KILLS} times at ${where}, nothing is lost and nothing half is published`, async () => {
  const first = tempFolder();
  const began = performance.now();
  expect(spawnSync(process.execPath, programOf(first, 0), { stdio: "inherit" }).status).toBe(0);
  const tookMs = performance.now() - began;
  const spare = tempFolder();
  cpSync(first, spare, { recursive: true });
  const calls = STRACE_WORKS ? countCalls(programOf(spare, 1)) : 0;
  const [before, after] = [collectionAt(0), collectionAt(1)];
  const random = seeded(SEED);
  for (let kill = 0; kill < KILLS; kill++) {
    const state = tempFolder();
    cpSync(first, state, { recursive: true });
    const share = (kill + random()) / KILLS;
    if (STRACE_WORKS) killAtCall(programOf(state, 1), 1 + Math.floor(share * calls));
    else await killedAfter(state, 1, share * tookMs);
    const left = published(state);
    expect([before, after], `kill ${kill} (SEED=${SEED})`).toContainEqual(left);
    expect(await harvestNight(state, 1)).toBe(0);
    expect(published(state)).toEqual(after);
    expect(readdirSync(join(state, "snapshots")).filter((name) => !/\.sqlite$/.test(name))).toEqual(
      [],
    );
  }
}, 14_400_000);
