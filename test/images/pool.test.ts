import { fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { JobFailed, openPool, type Pool } from "../../src/images/pool.ts";

const settings = {
  entry: new URL("./support/misbehaving-child.ts", import.meta.url),
  env: { ONLY: "this" },
  lanes: 2,
  // A child's start is a part of its first job.
  jobTimeoutMs: 30_000,
};

let pool: Pool<unknown, unknown>;
beforeEach(() => {
  pool = openPool<unknown, unknown>(settings);
});
afterEach(() => pool.close());

test("a crash, an exit and a hang fail their own job and no other", { tags: "long" }, async () => {
  const jobs = ["a", "crash", "b", "exit", "c", "hang", "d", "crash", "e"];
  const impatient = openPool<unknown, unknown>({ ...settings, jobTimeoutMs: 4_000 });
  onTestFinished(() => impatient.close());
  const started = performance.now();
  const outcomes = await Promise.allSettled(jobs.map((job) => impatient.run(job)));
  expect(performance.now() - started).toBeLessThan(4_000 + 30_000);
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === "fulfilled") expect(outcome.value).toBe(jobs[at]);
    else {
      expect(["crash", "exit", "hang"]).toContain(jobs[at]);
      expect(outcome.reason).toMatchObject({ name: "JobFailed", reason: null });
    }
  }
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(await impatient.run("after")).toBe("after");
});

test("a job's own refusal keeps its reason, and a bug its stack", async () => {
  await expect(pool.run("refuse")).rejects.toMatchObject({ name: "JobFailed", reason: "damaged" });
  await expect(pool.run("refuse")).rejects.toBeInstanceOf(JobFailed);
  await expect(pool.run("fail")).rejects.toThrow(/TypeError: a bug\n.*misbehaving-child/);
});

test("a child is used again", async () => {
  const alone = openPool<unknown, unknown>({ ...settings, lanes: 1 });
  onTestFinished(() => alone.close());
  expect(await alone.run("pid")).toBe(await alone.run("pid"));
});

test("a child sees nothing of our environment", async () => {
  process.env["QUOTES_TOKEN"] = "secret";
  const names = (await pool.run("environment")) as string[];
  delete process.env["QUOTES_TOKEN"];
  expect(names).toContain("ONLY");
  expect(names).not.toContain("QUOTES_TOKEN");
  expect(names).not.toContain("PATH");
});

test.each<[string, (pool: Pool<unknown, unknown>, controller: AbortController) => void]>([
  ["close()", (busy) => void busy.close()],
  ["its signal", (_, controller) => controller.abort()],
])("%s ends what is in hand and what waits, at once", async (_, end) => {
  const controller = new AbortController();
  const busy = openPool<unknown, unknown>({ ...settings, signal: controller.signal });
  onTestFinished(() => busy.close());
  await busy.run("ready");
  const started = performance.now();
  const jobs = Array.from({ length: 5 }, () => busy.run("hang"));
  setTimeout(() => end(busy, controller), 200);
  const outcomes = await Promise.allSettled(jobs);
  // Otherwise each would be waited for until it is known to hang.
  expect(performance.now() - started).toBeLessThan(settings.jobTimeoutMs / 2);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected" });
});

test("a signal that was aborted before lets no job begin", async () => {
  const late = openPool<unknown, unknown>({ ...settings, signal: AbortSignal.abort() });
  onTestFinished(() => late.close());
  await expect(late.run("ready")).rejects.toThrow(JobFailed);
});

const startParent = (job: string) =>
  fork(new URL("./support/pool-parent.ts", import.meta.url), [job], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });

test("a child that is slow to end does not end its parent before the pool is closed", async () => {
  expect(await once(startParent("linger"), "exit")).toEqual([0, null]);
});

test("a child ends with its parent, also after SIGKILL", { tags: "long" }, async () => {
  const parent = startParent("pid");
  const [pid] = (await once(parent, "message")) as [number];
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
