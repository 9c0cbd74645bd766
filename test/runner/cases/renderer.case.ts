import { test } from "vitest";
import { useBrowser } from "../../support/browser/index.ts";
import { forEver, killProcess } from "./kills.ts";

const browser = useBrowser();

test("waits for what cannot come", async () => {
  const page = await browser().newPage();
  await page.goto("data:text/html,<title>x</title>");
  await killProcess(browser(), "renderer");
  await forEver();
});

test("comes after", () => undefined);
