/** What happens when a page is read: nothing refused by its policy, nothing fetched elsewhere, nothing that moves. */
import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { readSite } from "../support/browser/index.ts";

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

test.concurrent.each(PAGES)("/%s breaks no policy and asks no other origin", async (path) => {
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

/** @see https://wicg.github.io/layout-instability/#sec-layout-shift */
interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

test.each([
  ["language/en/", 2, 0],
  ["language/tr/", 2, 0],
  // A script that the machine lacks must arrive, however late: its words are then as wide as they are.
  ["language/ru/", 2, 0.02],
  ["language/ar/", 2, 0.02],
  ["language/be/", 2, 0.02],
])(
  "/%s is set in at most %d fonts, and moves by at most %d when they or scripts are late",
  async (path, most, movement) => {
    await reading({}, async (page) => {
      const fonts = new Set<string>();
      const late = async (route: Route): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, 600));
        await route.continue();
      };
      await page.route("**/*.js", late);
      await page.route("**/*.woff2", (route) => {
        fonts.add(route.request().url());
        return late(route);
      });
      await page.addInitScript(() => {
        const shifts: string[] = [];
        Object.assign(window, { shifts });
        const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}x${height}`;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[])
            for (const { node, previousRect, currentRect } of entry.sources) {
              const what = node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeValue;
              shifts.push(
                `${entry.value}: ${what} from ${place(previousRect)} to ${place(currentRect)}`,
              );
            }
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(url() + path, { waitUntil: "networkidle" });
      await expect.poll(() => fonts.size).toBeGreaterThan(0);
      await page.waitForFunction(() => document.fonts.status === "loaded");
      await page.waitForTimeout(200);
      const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
      const values = new Set(shifts.map((shift) => Number.parseFloat(shift)));
      const moved = [...values].reduce((sum, value) => sum + value, 0);
      expect(moved, shifts.join("\n")).toBeLessThanOrEqual(movement);
      expect(fonts.size).toBeLessThanOrEqual(most);
    });
  },
);
