/** A site below a base path, and a browser that may use the clipboard, for each test as if it had no past. */
import { afterEach, beforeAll } from "vitest";
import { forget } from "./browser.ts";
import { newReader, type Reader } from "./find-reader.ts";
import { readSite } from "./read-site.ts";

/** For the tests of one file: made before them, removed after. */
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
