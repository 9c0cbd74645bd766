/** A site below a base path, and for each test a browser of its own that may use the clipboard. */
import { beforeEach } from "vitest";
import { newReader, type Reader } from "./find-reader.ts";
import { readSite } from "./read-site.ts";

/** For the tests of one file: made before them, removed after. */
export function pageReader() {
  const { site, browser, url } = readSite();
  let reader: Reader | undefined;
  const current = (): Reader => {
    if (reader === undefined) throw new Error("Cannot read: no test has begun");
    return reader;
  };
  beforeEach(async () => {
    await reader?.close();
    reader = await newReader(browser());
    await reader.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  return {
    ...{ site, url },
    reader: current,
    /** Another reader's, for the caller to close. */
    another: (options?: { readonly javaScriptEnabled?: boolean }) => newReader(browser(), options),
    open: (path: string) => current().page.goto(url() + path),
    clipboard: () => current().page.evaluate(() => navigator.clipboard.readText()),
  };
}
