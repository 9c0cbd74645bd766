/** A browser for the tests of a file; and each test reads a built site over HTTP, as a host serves it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { serveSite, type ServedSite, type ServeOptions } from "../../../src/hosts/serve-site.ts";
import { closeAfterFile } from "../run/index.ts";
import { type BrowserName, browserName, launchNamed } from "./named-browsers.ts";
import { ignoreBrowser, isAlive, watchBrowser } from "./watch-browser.ts";

export type Served = ServedSite;

/** One for all files of a worker, with which it ends: to start a browser takes longer than most tests. */
const shared = new Map<BrowserName, Browser>();

function running(): Browser {
  const browser = shared.get(browserName());
  if (browser === undefined) throw new Error("Cannot use the browser: no test has begun");
  return browser;
}

/** The browser for the tests of one file; what they leave open is closed after them. */
export function useBrowser(): () => Browser {
  beforeAll(async () => {
    // A file that is the first after a death gets a browser without a past.
    const name = browserName();
    const known = shared.get(name);
    const browser = known !== undefined && isAlive(known) ? known : await launchNamed(name);
    shared.set(name, await watchBrowser(browser));
  });
  afterAll(async () => {
    const browser = running();
    ignoreBrowser(browser);
    if (!isAlive(browser)) return;
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  return running;
}

/**
 * Gives a page of a site to the next test as if it had no past: for a page of its own the browser starts a process, which takes
 * longer than most tests. A test that changes more than what is stored, as its clock, has a page of its own.
 */
export async function forget(page: Page, url: string): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  // Of the site, and without a script: nothing is stored after this.
  await page.goto(`${url}sw.js`);
  await page.evaluate(() => localStorage.clear());
}

/** @param base the site's base path, such as `/sub/` */
export async function serveFolder(
  outDir: string,
  base = "/",
  more: Partial<ServeOptions> = {},
): Promise<Served> {
  const served = await serveSite({ outDir, base, ...more });
  closeAfterFile(() => served.close());
  return served;
}

/**
 * Watches what moves on the pages that open next.
 *
 * @returns what reads how far parts of the open page moved, in all
 * @see https://wicg.github.io/layout-instability/#sec-layout-shift
 */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifted: 0 });
    new PerformanceObserver((list) => {
      const global = globalThis as unknown as { shifted: number };
      for (const entry of list.getEntries())
        global.shifted += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
}

/** Waits for the typefaces that a page needs: they are requested when the page is laid out. */
export const untilDrawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    document.body.getBoundingClientRect();
    await document.fonts.ready;
  });
