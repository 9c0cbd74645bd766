/** Ends a run with the plain line `N passed, N failed`, for people and programs that read only the last line. */
import type { Reporter, TestModule } from "vitest/node";

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      // A file that fails to load has no tests to fail.
      count.failed += module.errors().length;
    }
    const skipped = count.skipped + count.pending;
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${tail}\n`);
  }
}
