import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser/index.ts";

const browser = useBrowser();
const mark = join(process.env["TEST_SITES"] ?? "", "waited");
const isFirst = !existsSync(mark);
writeFileSync(mark, "");

test("waits the first time alone for what does not come", async () => {
  const page = await browser().newPage();
  await page.goto("data:text/html,<title>x</title>");
  if (isFirst) await page.waitForEvent("popup", { timeout: 100 });
});

test("polls the first time alone for what does not come", async () => {
  await expect.poll(() => isFirst, { timeout: 100 }).toBe(false);
});
