/// <reference types="vitest/config" />
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { getViteConfig } from "astro/config";
import SlowFirst from "./test/support/vitest/slow-first.ts";

// The tests are of the project: what a fork keeps in `site/` is not.
process.env["SITE_DIR"] ??= join(import.meta.dirname, "test/fixtures/site");

/**
 * Tests that leave no variable, mock or module state behind: a worker and its browser start once for all of their files. To
 * start a worker for each file takes half a second of a core.
 */
const TOGETHER = [
  "{audit,canary,client,commands,contract,files,find,harvest,hosts,images,islands,plan,render}/**/*",
  "{report,search,service,site-reader,snapshot,themes,workflows}/**/*",
  "{*,e2e/!(fonts),i18n/locale,relay/!(edge),settings/settings,site/!(snapshot-modules)}",
].map((files) => `test/${files}.test.ts`);

export default getViteConfig({
  test: {
    projects: [
      { extends: true, test: { name: "together", include: TOGETHER, isolate: false } },
      { extends: true, test: { name: "apart", include: ["test/**/*.test.ts"], exclude: TOGETHER } },
    ],
    globalSetup: ["test/support/vitest/global-setup.ts"],
    setupFiles: ["test/support/vitest/setup.ts"],
    sequence: { sequencer: SlowFirst },
    reporters: ["default", "./test/support/vitest/summary-reporter.ts"],
    // Left alone, vitest keeps a core for itself: of two, half.
    maxWorkers: availableParallelism(),
    // Guards against what hangs, not against what is slow: the machine may be, and other programs run on it.
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
