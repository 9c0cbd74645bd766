/** Where pages lead within their language, and the same page in other languages. */
import { languageOf, type Language } from "../contract/languages.ts";
import type { Locale } from "../i18n/locale.ts";
import { FIXED_PATHS, generalPath } from "../plan/index.ts";
import { GENERAL_PATHS } from "./general.ts";
import { openSite } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

/** The path of a fixed page in the language of a locale where the site has it, else in the site's language. */
export function localPath({ code }: Locale, path: string): string {
  const kind = code === siteSettings().site.language ? undefined : GENERAL_PATHS.get(path);
  const local = kind === undefined ? undefined : openSite().generalPage(generalPath(code, kind));
  return local?.path ?? path;
}

/** The same general page in every language that has it, the site's first; empty for any other page. */
export function translationsOf(path: string): { language: Language; path: string }[] {
  const site = openSite();
  const kind = GENERAL_PATHS.get(path) ?? site.generalPage(path)?.kind;
  const all = site.generalPages().filter((page) => page.kind === kind);
  if (kind === undefined || all.length === 0) return [];
  const first = { code: siteSettings().site.language, path: FIXED_PATHS[kind] };
  return [first, ...all].map(({ code, path }) => ({ language: languageOf(code), path }));
}

/** Whether search engines are asked to leave out a page. A general page is as that of the site's language. */
export function isUnlisted(path: string): boolean {
  const { unlisted } = siteSettings().site;
  if (unlisted.includes(path)) return true;
  const kind = openSite().generalPage(path)?.kind;
  return kind !== undefined && unlisted.includes(FIXED_PATHS[kind]);
}

/** The `hreflang` and path of each translation of a page, with `x-default`; empty for a page without any. */
export function alternatesOf(path: string): (readonly [hreflang: string, path: string])[] {
  const all = translationsOf(path);
  const [first] = all;
  if (first === undefined) return [];
  return [
    ...all.map(({ language, path }) => [language.tag, path] as const),
    ["x-default", first.path],
  ];
}
