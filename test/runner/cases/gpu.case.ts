import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser/index.ts";
import { forEver, killProcesses } from "./kills.ts";

const browser = useBrowser();
const mark = join(process.env["TEST_SITES"] ?? "", "died");

test("loses the process the first time alone", async () => {
  const page = await browser().newPage();
  await page.goto("data:text/html,<title>x</title>");
  if (!existsSync(mark)) {
    writeFileSync(mark, "");
    await killProcesses(browser(), "GPU");
    await forEver();
  }
  expect(await page.title()).toBe("x");
});
