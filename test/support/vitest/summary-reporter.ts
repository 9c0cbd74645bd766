/**
 * Ends a run with the plain line `N passed, N failed`, for people and programs that read only the last line. Where
 * `scripts/test.ts` started the run, that program gets the counts and prints the line: the run may not come to its end.
 */
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { isOfTier } from "../tier.ts";

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a run says to the program that started it. */
export type News =
  { readonly began: string } | { readonly ended: string } | { readonly count: Count };

export const lineOf = ({ passed, failed, skipped }: Count): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

export default class SummaryReporter implements Reporter {
  readonly #modules = new Map<string, Count>();
  #unhandled: readonly unknown[] = [];
  /** When the run was stopped, in ms since 1970, and what nobody had handled by then. */
  #stopped: { readonly at: number; readonly unhandled: readonly unknown[] } | null = null;

  /** What fails from now on fails for being stopped: its folders and services are taken from it while it works. */
  stop(unhandled: readonly unknown[]): void {
    this.#stopped = { at: Date.now(), unhandled };
  }

  onTestModuleStart(module: TestModule): void {
    send({ began: module.relativeModuleId });
  }

  onTestCaseReady(test: TestCase): void {
    send({ began: nameOf(test) });
  }

  onTestCaseResult(test: TestCase): void {
    send({ ended: nameOf(test) });
  }

  onTestModuleEnd(module: TestModule): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const test of module.children.allTests())
      // What is of the other tier was left out; where no tier was chosen it has a result.
      if (isOfTier(test.tags) || test.result().state !== "skipped") count[this.#stateOf(test)]++;
    // A file that fails to load has no tests to fail.
    if (this.#stopped === null) count.failed += module.errors().length;
    this.#modules.set(module.id, { ...count, skipped: count.skipped + count.pending });
    send({ ended: module.relativeModuleId });
    send({ count: this.count() });
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly unknown[]): void {
    this.#unhandled = [...this.#unhandled, ...(this.#stopped?.unhandled ?? unhandled)];
    send({ count: this.count() });
    if (process.send === undefined) process.stdout.write(`\n${lineOf(this.count())}\n`);
  }

  /** Drops what a file did: it runs once more. */
  forget(module: TestModule): void {
    this.#modules.delete(module.id);
    this.#unhandled = this.#unhandled.filter(
      (error) => (error as { VITEST_TEST_PATH?: string }).VITEST_TEST_PATH !== module.moduleId,
    );
  }

  #stateOf(test: TestCase): "passed" | "failed" | "skipped" | "pending" {
    const { state } = test.result();
    if (state !== "failed" || this.#stopped === null) return state;
    const { startTime = Infinity, duration = 0 } = test.diagnostic() ?? {};
    return startTime + duration < this.#stopped.at ? "failed" : "skipped";
  }

  count(): Count {
    const counts = [...this.#modules.values()];
    const sum = (of: keyof Count): number => counts.reduce((all, count) => all + count[of], 0);
    const failed = sum("failed") + this.#unhandled.length;
    return { passed: sum("passed"), failed, skipped: sum("skipped") };
  }
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

function send(news: News): void {
  if (process.connected) process.send?.(news);
}
