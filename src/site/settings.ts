/** The settings of the process that renders, read once, and what follows from them: its addresses, and its language. */
import { localeOf, type Locale } from "../i18n/locale.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { siteData } from "../settings/site-data.ts";

let settings: Settings | undefined;

/** @throws {ConfigurationError} naming the variable or the field that is wrong */
export function siteSettings(): Settings {
  return (settings ??= readSettings({}, process.env, siteData().config));
}

/**
 * The locale of pages and cards.
 *
 * @param code of a language; the site's own where it has no messages, and where it is left out
 */
export function siteLocale(code = ""): Locale {
  return localeOf(code, siteSettings().site.language);
}

/**
 * What the service's terms ask for wherever its quotes are shown: a text and its link; null on the paid plan.
 *
 * @param locale the language of the text; default that of the site
 */
export function attribution(
  locale = siteLocale(),
): { readonly text: string; readonly url: string } | null {
  const { site, service } = siteSettings();
  const { name, url } = site.attribution;
  return service.plan === "free" ? { text: locale.fill("attribution", { name }), url } : null;
}

/** The address of a path of the plan, such as `/tags/`, below the site's base folder. */
export function href(path: string): string {
  return siteSettings().site.base + path.slice(1);
}

/** The address of a page from the site's root, as its request has it. */
export function pathOf({ pathname }: URL): string {
  return `/${decodeURI(pathname).slice(siteSettings().site.base.length)}`;
}

/** With scheme and host, and every other letter escaped: for sitemaps, feeds and canonical links. */
export function absolute(path: string): string {
  return new URL(href(path), siteSettings().site.url).href;
}
