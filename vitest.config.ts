/// <reference types="vitest/config" />
import { availableParallelism } from "node:os";
import { getViteConfig } from "astro/config";

export default getViteConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/seed.ts"],
    reporters: ["default", "./test/support/summary-reporter.ts"],
    // Left alone, vitest keeps a core for itself: of two, half.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 180_000,
  },
});
