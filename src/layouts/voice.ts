/** The locale of the pages that belong to no language. */
import { localeOf, type Locale } from "../i18n/locale.ts";
import { siteSettings } from "../site/index.ts";

export function siteVoice(): Locale {
  return localeOf(siteSettings().site.language, "en");
}
