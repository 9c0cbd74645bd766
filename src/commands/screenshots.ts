/**
 * `npm run screenshots`: the site of the current snapshot in every theme, pictured in three languages.
 *
 * Each theme and language is a site of its own, rendered into a temporary folder: `dist` and the caches stay as they are.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import type { Settings } from "../settings/settings.ts";
import { settingOf } from "../settings/sources.ts";
import { LANGUAGES, shotsOf, THEMES } from "./pictures/album.ts";
import { launchBrowser } from "./pictures/browser.ts";
import { prepareWardrobe, renderDressed, type Clothes } from "./pictures/dress.ts";
import { takePictures } from "./pictures/take.ts";
import type { Program, ProgramContext } from "./program.ts";
import { runStages } from "./stages.ts";

export const screenshotsProgram: Program = {
  async run({ settings, options, signal }: ProgramContext) {
    const into = resolve(settingOf("screenshotsDir", options));
    prepareWardrobe(settings);
    const browser = await launchBrowser();
    let taken = 0;
    try {
      const stages = THEMES.map((theme) => ({
        title: `Picture ${theme}`,
        run: async (say: (line: string) => void) => {
          for (const language of LANGUAGES) {
            say(language);
            taken += await picture(browser, settings, { theme, language }, into, signal);
          }
        },
      }));
      await runStages(stages, settings.output.quiet);
    } finally {
      await browser.close();
    }
    return { text: `${taken} pictures in ${into}`, result: { pictures: taken, folder: into } };
  },
};

/** @returns how many pictures were taken */
async function picture(
  browser: Browser,
  settings: Settings,
  clothes: Clothes,
  into: string,
  signal: AbortSignal,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-pictures-"));
  const pictures = join(into, clothes.theme);
  mkdirSync(pictures, { recursive: true });
  try {
    const outDir = await renderDressed(settings, clothes, folder, signal);
    const shots = shotsOf(clothes.language);
    await takePictures(browser, { outDir, base: settings.site.base }, shots, pictures);
    return shots.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
