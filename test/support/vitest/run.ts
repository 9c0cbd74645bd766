/** A run of vitest, in a process that `supervise.ts` watches. A file in which a process died is tried once more. */
import { createVitest, parseCLI, type TestModule } from "vitest/node";
import SummaryReporter from "./summary-reporter.ts";

const summary = new SummaryReporter();
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
const vitest = await createVitest({ ...options, reporters: ["default", summary] });

let isStopped = false;
process.on("message", () => {
  isStopped = true;
  void vitest.cancelCurrentRun("keyboard-input");
});

try {
  const { testModules } = await vitest.start(filter);
  const died = testModules.filter(hasDied);
  if (died.length > 0 && !isStopped) {
    const names = died.map(({ relativeModuleId }) => relativeModuleId);
    process.stdout.write(`\nA process died in ${names.join(", ")}: tried once more.\n`);
    for (const module of died) summary.forget(module);
    await vitest.runTestSpecifications(died.map((module) => module.toTestSpecification()));
  }
  const { passed, failed } = summary.count();
  process.exitCode = failed > 0 || (passed === 0 && !isStopped) ? 1 : 0;
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
await vitest.close();
process.disconnect?.();

/** Also where a hook failed, and its tests did not run. */
function hasDied(module: TestModule): boolean {
  const results = [...module.children.allTests()].map((test) => test.result());
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const errors = [
    ...results.flatMap((result) => result.errors ?? []),
    ...suites,
    ...module.errors(),
  ];
  return errors.some(({ name }) => name === "ProcessDied");
}
