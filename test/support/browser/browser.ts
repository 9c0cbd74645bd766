/** The browser of the pictures is the browser of the tests; and each test reads a built site over HTTP, as a host serves it. */
import { serveSite, type ServedSite } from "../../../src/commands/preview/serve-site.ts";

export { launchBrowser } from "../../../src/commands/browser.ts";
export type Served = ServedSite;

/** @param base the site's base path, such as `/sub/` */
export function serveFolder(outDir: string, base = "/"): Promise<Served> {
  return serveSite({ outDir, base });
}
