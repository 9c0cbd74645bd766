/**
 * `npm run screenshots`: takes screenshots of the site of the published snapshot in every theme and three languages.
 *
 * Each variant is rendered into a temporary folder; `dist` and the state do not change.
 */
import { resolve } from "node:path";
import { settingOf } from "../settings/sources.ts";
import { openSiteAs } from "../site/index.ts";
import { launchBrowser } from "./browser.ts";
import type { Outcome, ProgramContext } from "./program.ts";
import { runStages } from "./stages.ts";
import { pictureVariant } from "./variant-pictures.ts";

const THEMES = ["folio", "press", "night-reader"];

/** Left to right, right to left, and a script with tall letters. */
const LANGUAGES = ["en", "ar", "be"];

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
