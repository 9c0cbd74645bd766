import { test } from "vitest";
import { useBrowser } from "../../support/browser/index.ts";
import { forEver, killProcesses } from "./kills.ts";

const browser = useBrowser();

test("waits for what cannot come", async () => {
  const page = await browser().newPage();
  await page.goto("data:text/html,<title>x</title>");
  await killProcesses(browser(), "browser");
  await forEver();
});

test("comes after", () => undefined);
