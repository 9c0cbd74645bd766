/**
 * A run of vitest, in a process that `supervise.ts` watches. A file in which a process died or a test waited in vain is tried
 * once more at the end, when the machine has nothing else to do.
 */
import type { TestError } from "vitest";
import { createVitest, parseCLI, type TestModule } from "vitest/node";
import SummaryReporter from "./summary-reporter.ts";

const summary = new SummaryReporter();
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
const vitest = await createVitest({ ...options, reporters: ["default", summary] });

/** More files than these wait in vain for a reason of their own. */
const MOST_WAITING = 3;

let isStopped = false;
process.on("message", () => {
  isStopped = true;
  summary.stop(vitest.state.getUnhandledErrors());
  void vitest.cancelCurrentRun("keyboard-input");
});

try {
  const { testModules } = await vitest.start(filter);
  const died = testModules.filter((module) => errorsOf(module).some(isDeath));
  const waiting = testModules.filter((module) => !died.includes(module) && waitedInVain(module));
  const again = waiting.length > MOST_WAITING ? died : [...died, ...waiting];
  if (again.length > 0 && !isStopped) {
    for (const module of again) {
      const what = died.includes(module) ? "A process died" : "A test waited in vain";
      process.stdout.write(`\n${what} in ${module.relativeModuleId}: tried once more.\n`);
      summary.forget(module);
    }
    await vitest.runTestSpecifications(again.map((module) => module.toTestSpecification()));
  }
  const { passed, failed } = summary.count();
  process.exitCode = failed > 0 || (passed === 0 && !isStopped) ? 1 : 0;
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
await vitest.close();
process.disconnect?.();

/** Also those of hooks: where one failed, its tests did not run. */
function errorsOf(module: TestModule): TestError[] {
  const results = [...module.children.allTests()].map((test) => test.result());
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [...results.flatMap((result) => result.errors ?? []), ...suites, ...module.errors()];
}

function isDeath({ name }: TestError): boolean {
  return name === "ProcessDied";
}

/** What Playwright, vitest and its polls say. A file with a failure of another kind is not tried again. */
function waitedInVain(module: TestModule): boolean {
  const errors = errorsOf(module);
  return errors.length > 0 && errors.every(isWait);
}

function isWait({ message, cause }: TestError): boolean {
  return (
    /^(?:\S+: )?Timeout \d+ms exceeded|^(?:Test|Hook) timed out in /.test(message) ||
    (cause as Partial<Error> | undefined)?.message === "Matcher did not succeed in time."
  );
}
