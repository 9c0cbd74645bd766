/** Runs the cases beside it as the tests are run. They fail, so `npm test` runs none of them itself. */
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { TAGS } from "../../support/tier.ts";
import { LIMITS } from "../../support/vitest/limits.ts";

const SUPPORT = join(import.meta.dirname, "../../support/vitest");

export default defineConfig({
  test: {
    ...LIMITS,
    tags: TAGS,
    root: import.meta.dirname,
    include: ["*.case.ts"],
    isolate: false,
    maxWorkers: 1,
    globalSetup: [join(SUPPORT, "global-setup.ts")],
    setupFiles: [join(SUPPORT, "setup.ts")],
    runner: join(SUPPORT, "runner.ts"),
  },
});
