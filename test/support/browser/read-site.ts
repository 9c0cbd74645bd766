/** A built site below `/sub/` and a browser for the tests of one file: made before them, removed after. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeAll } from "vitest";
import { buildSubSite, type BuiltSite } from "../built/index.ts";
import type { QuoteDraft } from "../snapshot/index.ts";
import { forget, serveFolder, useBrowser, type Served } from "./browser.ts";
import { newReader, type Reader } from "./find-reader.ts";

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

/** Such a site, and a browser that may use the clipboard, for each test as if it had no past. */
export function pageReader() {
  const { site, browser, url } = readSite();
  let reader: Reader;
  beforeAll(async () => {
    reader = await newReader(browser());
    await reader.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  afterEach(async () => {
    await forget(reader.page, url());
    reader.errors.length = 0;
  });
  return {
    ...{ site, url },
    reader: () => reader,
    /** Another reader's, for the caller to close. */
    another: (options?: { readonly javaScriptEnabled?: boolean }) => newReader(browser(), options),
    open: (path: string) => reader.page.goto(url() + path),
    clipboard: () => reader.page.evaluate(() => navigator.clipboard.readText()),
  };
}
