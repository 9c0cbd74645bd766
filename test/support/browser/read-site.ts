/** A built site and a browser for the tests of one file: made before them, removed after. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { beforeAll } from "vitest";
import { serveFolder, useBrowser, type Served } from "./browser.ts";
import { buildSite, type BuiltSite } from "../built/index.ts";
import { type QuoteDraft, siteQuotes } from "../snapshot/index.ts";

interface ReadSite {
  readonly site: () => BuiltSite;
  readonly browser: () => Browser;
  /** Where the site is served, with its base path. */
  readonly url: () => string;
  /** Opens a page in a window of its own and closes it after. */
  readonly reading: <T>(
    options: BrowserContextOptions,
    read: (page: Page) => Promise<T>,
  ) => Promise<T>;
}

/** @param base the site's base path */
export function readSite(base: string, quotes: readonly QuoteDraft[] = siteQuotes()): ReadSite {
  const browser = useBrowser();
  let site: BuiltSite;
  let served: Served;
  beforeAll(async () => {
    site = await buildSite({ quotes }, { SITE_BASE: base });
    served = await serveFolder(site.outDir, base);
  });
  return {
    site: () => site,
    browser,
    url: () => served.url,
    reading: async (options, read) => {
      const context = await browser().newContext(options);
      try {
        return await read(await context.newPage());
      } finally {
        await context.close();
      }
    },
  };
}
