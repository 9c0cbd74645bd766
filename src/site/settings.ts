/** The settings of the rendering process, read once, and the addresses and locale that depend on them. */
import { SERVICE_API } from "../client/service-api.ts";
import { mainLanguage } from "../contract/languages.ts";
import { localeOf, type Locale } from "../i18n/locale.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { siteData } from "../settings/site-data.ts";

let settings: Settings | undefined;

/** @throws {ConfigurationError} naming the variable or the field that is wrong */
export function siteSettings(): Settings {
  return (settings ??= readSettings({}, process.env, siteData().config));
}

/** Messages, and formats of numbers and dates. @param code of a language; without one, or without messages in it, those of the site */
export function siteLocale(code = ""): Locale {
  return localeOf(code, siteSettings().site.language);
}

/** What the site says of itself, and whether that is in the language of the page. */
export function siteDescription({ code, messages }: Locale = siteLocale()): {
  readonly text: string;
  readonly isTranslated: boolean;
} {
  const { description, descriptions, language } = siteSettings().site;
  const own = descriptions[code];
  return {
    text: own ?? description ?? messages.tagline,
    isTranslated: own !== undefined || description === undefined || code === language,
  };
}

/**
 * The locale of a page that shows quotes: that of their language where at least nine tenths have one and it has messages,
 * else that of the site.
 *
 * @param codes of the language of each quote
 */
export function pageLocale(codes: readonly string[]): Locale {
  return siteLocale(mainLanguage(codes) ?? "");
}

/** Where a vote goes, below the base address of votes. */
export const { votePath } = SERVICE_API;

/** What a link needs: a path such as `/tags/` with the base path of the site before it. */
export function href(path: string): string {
  return siteSettings().site.base + path.slice(1);
}

/** Removes the base path from the address of a page. */
export function pathOf({ pathname }: URL): string {
  return `/${decodeURI(pathname).slice(siteSettings().site.base.length)}`;
}

/** The full, percent-encoded URL of a path: for sitemaps, feeds and canonical links. */
export function absolute(path: string): string {
  return new URL(href(path), siteSettings().site.url).href;
}
