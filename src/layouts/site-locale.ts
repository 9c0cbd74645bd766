/** The locale of pages and cards: of a language that has messages, else of the site's own. */
import { localeOf, type Locale } from "../i18n/locale.ts";
import { siteSettings } from "../site/index.ts";

/** @param code of a language; left out for pages that belong to none */
export function siteLocale(code = ""): Locale {
  return localeOf(code, siteSettings().site.language);
}
