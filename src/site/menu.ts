/** The menu of the site: `menu` of `site/config.ts`, then the pages of `site/pages` with an entry. */
import type { Locale } from "../i18n/locale.ts";
import { FIXED_PATHS } from "../plan/index.ts";
import { siteData } from "../settings/site-data.ts";
import { localPath } from "./local-paths.ts";
import { href, siteSettings } from "./settings.ts";

export interface MenuEntry {
  readonly name: string;
  /** Address without the base path, or of another site. */
  readonly path: string;
  /** What a link needs. */
  readonly href: string;
  /** Whether it leads to what the reader keeps: a script counts that. */
  readonly counts: boolean;
}

/** The entries of the menu in their order, in the language of a page. Paths of the site are without the base path. */
export function menuOf(locale: Locale): MenuEntry[] {
  const { site } = siteSettings();
  const names = { ...locale.reader, ...locale.page, favourites: locale.book.menu };
  const kept = localPath(locale, FIXED_PATHS.favourites);
  const links = site.menu.map((entry): [path: string, name: string] => {
    if (typeof entry === "string") return [localPath(locale, FIXED_PATHS[entry]), names[entry]];
    const { label } = entry;
    if (typeof label === "string") return [entry.href, label];
    const name = label[locale.code] ?? label[site.language] ?? Object.values(label)[0];
    return [entry.href, name ?? entry.href];
  });
  const own = siteData().pages.flatMap(({ path, menu }): [string, string][] =>
    path === null || menu === null ? [] : [[path, menu]],
  );
  return [...links, ...own].map(([path, name]) => ({
    ...{ name, path, counts: path === kept, href: path.startsWith("/") ? href(path) : path },
  }));
}
