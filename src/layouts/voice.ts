/** The voice of the pages that belong to no language. */
import { voiceOf, type Voice } from "../i18n/voice.ts";
import { siteSettings } from "../site/index.ts";

export function siteVoice(): Voice {
  return voiceOf(siteSettings().site.language, "en");
}
