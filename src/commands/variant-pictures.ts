/** Screenshots of one variant of the site: a theme in a language. */
import { constants, cpSync, mkdirSync, mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { makeFolder } from "../files/disk.ts";
import { serveSite } from "../hosts/serve-site.ts";
import type { Settings } from "../settings/settings.ts";
import { renderInChild } from "./render-site.ts";

/** Size of the window in CSS pixels. */
const WIDTHS = [320, 1280];
const HEIGHT = 1_400;

/** The files of the state that a render reads and that do not describe `dist`. */
const RENDER_STATE =
  /^(?:current$|snapshots$|plan\.sqlite|addresses\.sqlite|written\.sqlite|thumbnails$)/;

/**
 * Renders a variant in a child process, because the modules of a bundle read their settings once, and takes its screenshots.
 *
 * @returns the number of screenshots, which are in a folder of the theme's name in `into`
 */
export async function pictureVariant(
  settings: Settings,
  variant: Readonly<Record<"theme" | "language", string>>,
  how: { readonly browser: Browser; readonly into: string; readonly signal: AbortSignal },
): Promise<number> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-pictures-"));
  const pictures = join(how.into, variant.theme);
  makeFolder(pictures);
  const outDir = join(folder.path, "dist");
  const stateDir = join(folder.path, "state");
  mkdirSync(stateDir);
  for (const name of readdirSync(settings.stateDir).filter((file) => RENDER_STATE.test(file))) {
    const copy = { recursive: true, mode: constants.COPYFILE_FICLONE };
    cpSync(join(settings.stateDir, name), join(stateDir, name), copy);
  }
  const site = { ...settings.site, ...variant };
  const { signal } = how;
  await renderInChild(
    // A bundle of another theme is of no use to the site.
    { ...settings, stateDir, outDir, site, bundleDir: null },
    { signal, showProgress: () => undefined },
  );
  await using served = await serveSite({ outDir, base: site.base });
  return await takePictures(how.browser, served.url, variant.language, pictures);
}

async function takePictures(
  browser: Browser,
  url: string,
  language: string,
  folder: string,
): Promise<number> {
  const pages = {
    home: "",
    listing: `language/${language}/`,
    ...{ languages: "languages/", tags: "tags/", authors: "authors/" },
    ...{ today: "today/", about: "about/" },
  };
  let taken = 0;
  for (const scheme of ["light", "dark"] as const) {
    await using context = await browser.newContext({ colorScheme: scheme });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(pages)) {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        // A font that arrives late is used only after a second load.
        await page.goto(url + path);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.reload();
        const file = `${language}-${name}-${width}-${scheme}.png`;
        await page.screenshot({ path: join(folder, file) });
        taken++;
      }
    }
  }
  return taken;
}
