/** A site below a base path, and for each test a browser of its own that may use the clipboard. */
import { beforeEach } from "vitest";
import type { BuiltSite } from "../built/index.ts";
import { newReader, type Reader } from "./find-reader.ts";
import { readSite } from "./read-site.ts";

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
    another: (options) => newReader(browser(), options),
    open: (path) => current().page.goto(url() + path),
    clipboard: () => current().page.evaluate(() => navigator.clipboard.readText()),
  };
}
