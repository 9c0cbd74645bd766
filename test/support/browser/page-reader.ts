/** A site below a base path, and for each test a browser of its own that may use the clipboard. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { buildSite, type BuiltSite } from "../built/index.ts";
import { launchBrowser, serveFolder, type Served } from "./browser.ts";
import { newReader, type Reader } from "./find-reader.ts";
import { siteQuotes } from "../snapshot/index.ts";

interface PageReader {
  readonly site: () => BuiltSite;
  /** Where the site is served, with its base path. */
  readonly url: () => string;
  readonly reader: () => Reader;
  /** Another reader's, for the caller to close. */
  readonly another: (options?: { readonly javaScriptEnabled?: boolean }) => Promise<Reader>;
  readonly open: (path: string) => Promise<unknown>;
  readonly clipboard: () => Promise<string>;
}

/** For the tests of one file: made before them, removed after. */
export function pageReader(): PageReader {
  let site: BuiltSite;
  let served: Served;
  let browser: Browser;
  let reader: Reader | undefined;
  const current = (): Reader => {
    if (reader === undefined) throw new Error("Cannot read: no test has begun");
    return reader;
  };
  beforeAll(async () => {
    site = await buildSite({ quotes: siteQuotes() }, { SITE_BASE: "/sub/" });
    served = await serveFolder(site.outDir, "/sub/");
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    await reader?.close();
    reader = await newReader(browser);
    await reader.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
    site.remove();
  });
  return {
    site: () => site,
    url: () => served.url,
    reader: current,
    another: (options) => newReader(browser, options),
    open: (path) => current().page.goto(served.url + path),
    clipboard: () => current().page.evaluate(() => navigator.clipboard.readText()),
  };
}
