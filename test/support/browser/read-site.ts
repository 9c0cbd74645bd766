/** A built site and a browser for the tests of one file: made before them, removed after. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll } from "vitest";
import { serveFolder, useBrowser, type Served } from "./browser.ts";
import { buildSubSite, type BuiltSite } from "../built/index.ts";
import type { QuoteDraft } from "../snapshot/index.ts";

/** The site is below `/sub/`. */
export function readSite(quotes?: readonly QuoteDraft[]) {
  const browser = useBrowser();
  let site: BuiltSite;
  let served: Served;
  beforeAll(async () => {
    site = await buildSubSite(quotes);
    served = await serveFolder(site.outDir, "/sub/");
  });
  return {
    site: () => site,
    browser,
    /** Where the site is served, with its base path. */
    url: () => served.url,
    /** Opens a page in a window of its own and closes it after. */
    reading: async <T>(options: BrowserContextOptions, read: (page: Page) => Promise<T>) => {
      const context = await browser().newContext(options);
      try {
        return await read(await context.newPage());
      } finally {
        await context.close();
      }
    },
  };
}
