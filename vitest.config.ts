/// <reference types="vitest/config" />
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { getViteConfig } from "astro/config";
import { hasLong, isSized, LONG, TAGS } from "./test/support/tier.ts";
import { LIMITS } from "./test/support/vitest/limits.ts";
import { otherBrowsers } from "./test/support/vitest/other-browsers.ts";
import SlowFirst from "./test/support/vitest/slow-first.ts";

// The tests are of the project: what a fork keeps in `site/` is not.
process.env["SITE_DIR"] ??= join(import.meta.dirname, "test/fixtures/site");

/**
 * Tests that leave no variable, mock or module state behind: a worker and its browser start once for all of their files. To
 * start a worker for each file takes half a second of a core.
 */
const TOGETHER = [
  "{audit,canary,client,commands,contract,files,find,harvest,hosts,images,islands,plan,render}/**/*",
  "{report,runner,search,service,site-reader,snapshot,sqlite,themes,workflows}/**/*",
  "{*,e2e/!(fonts|other-browsers),i18n/locale,relay/!(edge),settings/settings,site/!(snapshot-modules)}",
].map((files) => `test/${files}.test.ts`);

/** What a reader does; other tests in a browser look at what Chromium alone can measure or emulate. */
const READER =
  "test/e2e/{reading,find-*,vote,vote-page,vote-report,offline,weak-line,share}.test.ts";

/** The same in a Firefox and a WebKit that Playwright does not drive. */
const DRIVEN = "test/e2e/other-browsers.test.ts";

/** In the second tier, the files without a test of it. */
const SHORT_ONLY = LONG
  ? globSync("test/**/*.test.ts", { cwd: import.meta.dirname }).filter((file) => {
      const source = readFileSync(join(import.meta.dirname, file), "utf8");
      return !hasLong(source) && !isSized(source);
    })
  : [];

export default getViteConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "together", include: TOGETHER, exclude: SHORT_ONLY, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: ["test/**/*.test.ts"],
          exclude: [...TOGETHER, ...SHORT_ONLY, DRIVEN],
        },
      },
      ...otherBrowsers().map((browser) => ({
        extends: true as const,
        test: {
          name: browser,
          include: [browser === "firefox-latest" ? READER : DRIVEN],
          isolate: false,
          provide:
            browser === "firefox-latest" ? { browser: "firefox" as const } : { driven: browser },
        },
      })),
    ],
    tags: TAGS,
    globalSetup: ["test/support/vitest/global-setup.ts"],
    setupFiles: ["test/support/vitest/setup.ts"],
    sequence: { sequencer: SlowFirst },
    reporters: ["default", "./test/support/vitest/summary-reporter.ts"],
    // Left alone, vitest keeps a core for itself: of two, half.
    maxWorkers: availableParallelism(),
    runner: "./test/support/vitest/runner.ts",
    ...LIMITS,
  },
});
