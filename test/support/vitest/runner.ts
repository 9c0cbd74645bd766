/** Ends a test or hook at once when a process that it uses dies, whatever it waits for. */
import { TestRunner, type RunnerTestCase, type RunnerTestSuite } from "vitest";
import { forgetDeaths, orDeath } from "../run/deaths.ts";

/** What closing and removing may take once a process died. */
const GRACE_MS = 5_000;

/** Races a hook with the deaths. A proxy keeps what vitest notes on the function, such as its time-out. */
const raced = <Hook extends (...args: never[]) => unknown>(hook: Hook, graceMs: number): Hook =>
  new Proxy(hook, {
    apply: (run, self, args) => orDeath((): unknown => Reflect.apply(run, self, args), graceMs),
  });

export default class Runner extends TestRunner {
  runTask(test: RunnerTestCase): Promise<void> {
    return orDeath(TestRunner.getTestFn(test));
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if ("filepath" in suite) forgetDeaths();
    const hooks = hooksOf(suite);
    // A file that could not be loaded has none.
    if (hooks === undefined) return super.onBeforeRunSuite(suite);
    hooks.beforeAll = hooks.beforeAll.map((hook) => raced(hook, 0));
    hooks.beforeEach = hooks.beforeEach.map((hook) => raced(hook, 0));
    hooks.afterEach = hooks.afterEach.map((hook) => raced(hook, GRACE_MS));
    hooks.afterAll = hooks.afterAll.map((hook) => raced(hook, GRACE_MS));
    await super.onBeforeRunSuite(suite);
  }
}

const hooksOf = (suite: RunnerTestSuite): ReturnType<typeof TestRunner.getSuiteHooks> | undefined =>
  TestRunner.getSuiteHooks(suite);
