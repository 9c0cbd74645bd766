/**
 * Runs the tests so that the run always ends: one that is stuck is ended, and so is every process that a test left. Prints
 * what ended how, and as its last line the counts.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, globSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LONG, LONG_MS } from "../tier.ts";
import { QUIET_MS } from "./limits.ts";
import { endAll } from "./processes.ts";
import { lineOf, type Count, type News } from "./summary-reporter.ts";

/** What tests under way may take once the time is spent, and a run to close. */
const GRACE_MS = 30_000;

export interface Supervision {
  /** The arguments of vitest. */
  readonly args: readonly string[];
  /** Once they are spent no other test begins, and the run is not a failure for it. */
  readonly minutes: number | null;
}

/** @returns the exit status */
export async function supervise({ args, minutes }: Supervision) {
  const run = `run-${randomBytes(6).toString("hex")}`;
  const child = fork(join(import.meta.dirname, "run.ts"), args, {
    env: { ...process.env, TEST_RUN: run },
    // A group of its own, to be ended as one.
    detached: process.platform !== "win32",
  });
  const outcome = await follow(child, minutes);
  const left = await endAll(run, child.pid);
  if (left > 0) say(`Ended ${left} processes that the tests had left.`);
  // A run that was ended could not remove its files.
  for (const parent of new Set(["/dev/shm", tmpdir()]))
    for (const folder of globSync(`commonplace-tests-${run}-*`, { cwd: parent }))
      rmSync(join(parent, folder), { recursive: true, force: true, maxRetries: 5 });
  // CI adds up the counts of several runs.
  const { TEST_COUNTS: file = "" } = process.env;
  const { passed, failed } = outcome.count;
  if (file !== "") appendFileSync(file, `${passed} ${failed}\n`);
  say(`\n${lineOf(outcome.count)}`);
  return outcome.status;
}

interface Outcome {
  readonly status: number;
  readonly count: Count;
}

function follow(child: ChildProcess, minutes: number | null): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const underWay = new Set<string>();
  let count: Count = { passed: 0, failed: 0, skipped: 0 };
  let isSpent = false;
  let isFinished = false;
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, act: () => void): NodeJS.Timeout => {
    const timer = setTimeout(act, ms);
    timers.add(timer);
    return timer;
  };
  const finish = (status: number, failed = 0): void => {
    isFinished = true;
    for (const timer of timers) clearTimeout(timer);
    resolve({ status, count: { ...count, failed: count.failed + failed } });
  };
  const quietMs = LONG ? LONG_MS : QUIET_MS;
  const stuck = after(quietMs, () => {
    const names = [...underWay].map((name) => `\n  ${name}`).join("");
    say(
      `\nNothing was heard of the tests for ${quietMs / 1_000} s. Under way:${names || " nothing"}`,
    );
    finish(1, 1);
  });
  if (minutes !== null) {
    after(minutes * 60_000, () => {
      isSpent = true;
      say(`\nThe ${minutes} minutes are spent: no other test begins, and none under way fails.`);
      child.send("stop");
      after(GRACE_MS, () => finish(count.failed > 0 ? 1 : 0));
    });
  }
  child.on("message", (news: News) => {
    stuck.refresh();
    if ("count" in news) count = news.count;
    if ("began" in news) underWay.add(news.began);
    if ("ended" in news) underWay.delete(news.ended);
  });
  child.once("exit", (status, signal) => {
    if (isFinished) return;
    if (signal !== null) say(`\nThe tests ended with ${signal}.`);
    if (isSpent) return finish(count.failed > 0 ? 1 : 0);
    const isMissed = status !== 0 && count.failed === 0;
    finish(status ?? 1, isMissed ? 1 : 0);
  });
  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.once(signal, () => finish(status));
  return promise;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
