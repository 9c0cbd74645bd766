/** Takes pictures of a built site in a browser. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { serveSite } from "../preview/serve-site.ts";
import type { Shot } from "./album.ts";

/** In CSS pixels: what a reader sees of a page without scrolling, twice over. */
const HEIGHT = 1_400;

/** @param into folder of the pictures, which must exist */
export async function takePictures(
  browser: Browser,
  site: { readonly outDir: string; readonly base: string },
  shots: readonly Shot[],
  into: string,
): Promise<void> {
  const served = await serveSite(site);
  try {
    for (const scheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ colorScheme: scheme });
      const page = await context.newPage();
      for (const shot of shots.filter((of) => of.scheme === scheme)) {
        await page.setViewportSize({ width: shot.width, height: HEIGHT });
        // Twice: a face that was late is not used until the next page.
        await page.goto(served.url + shot.path);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.reload();
        await page.screenshot({ path: join(into, `${shot.name}.png`) });
      }
      await context.close();
    }
  } finally {
    await served.close();
  }
}
