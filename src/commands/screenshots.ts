/**
 * `npm run screenshots`: takes screenshots of the site of the published snapshot in every theme and three languages.
 *
 * Each variant is rendered into a temporary folder; `dist` and the state do not change.
 */
import { constants, cpSync, mkdirSync, mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { makeFolder } from "../files/disk.ts";
import type { Settings } from "../settings/settings.ts";
import { settingOf } from "../settings/sources.ts";
import { openSiteAs } from "../site/index.ts";
import { launchBrowser } from "./browser.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { renderInChild } from "./render-site.ts";
import { serveSite } from "../hosts/serve-site.ts";
import { runStages } from "./stages.ts";

const THEMES = ["folio", "press", "night-reader"];

/** Left to right, right to left, and a script with tall letters. */
const LANGUAGES = ["en", "ar", "be"];

/** Size of the window in CSS pixels. */
const WIDTHS = [320, 1280];
const HEIGHT = 1_400;

/** The files of the state that a render reads and that do not describe `dist`. */
const RENDER_STATE =
  /^(?:current$|snapshots$|plan\.sqlite|addresses\.sqlite|written\.sqlite|thumbnails$)/;

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const into = resolve(settingOf("screenshotsDir", options));
  // Makes the plan, which all variants use.
  openSiteAs(settings).close();
  await using browser = await launchBrowser();
  let taken = 0;
  const stages = THEMES.map((theme) => ({
    title: `Picture ${theme}`,
    run: async (showProgress: (line: string) => void) => {
      for (const language of LANGUAGES) {
        showProgress(language);
        taken += await pictureVariant(settings, { theme, language }, { browser, into, signal });
      }
    },
  }));
  await runStages(stages, settings.output.quiet);
  return { text: `${taken} pictures in ${into}`, result: { pictures: taken, folder: into } };
}

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
    { ...settings, stateDir, outDir, site },
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
