/** What happens when a page is read: nothing refused by its policy, nothing fetched elsewhere, nothing that moves. */
import { expect, test } from "vitest";
import { readSite } from "../support/read-site.ts";

const { url, reading } = readSite("/sub/");

const PAGES = [
  "",
  "today/",
  "language/en/",
  "language/ar/",
  "language/be/",
  "tag/rights/",
  "about/",
];

test.each(PAGES)("/%s breaks no policy and asks nobody else", async (path) => {
  await reading({}, async (page) => {
    const said: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(error.message));
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(url() + path, { waitUntil: "networkidle" });
    expect(said).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(url()))).toEqual([]);
    expect(await page.locator("meta[http-equiv]").getAttribute("content")).not.toContain("unsafe");
  });
});

test.each([
  ["language/en/", 2],
  ["language/ru/", 2],
  ["language/tr/", 2],
  ["language/ar/", 2],
  ["language/be/", 2],
])("/%s is set in at most %d fonts, and nothing moves when they are late", async (path, most) => {
  await reading({}, async (page) => {
    const fonts = new Set<string>();
    await page.route("**/*.woff2", async (route) => {
      fonts.add(route.request().url());
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(url() + path, { waitUntil: "networkidle" });
    await expect.poll(() => fonts.size).toBeGreaterThan(0);
    await page.waitForFunction(() => document.fonts.status === "loaded");
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual(
      [],
    );
    expect(fonts.size).toBeLessThanOrEqual(most);
  });
});
