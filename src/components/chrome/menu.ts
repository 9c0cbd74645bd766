/** The entries of the menu: `menu` of `site/config.ts`, and then the pages of `site/pages` that ask for one. */
import type { Locale } from "../../i18n/locale.ts";
import { FIXED_PATHS, href, siteData, siteSettings } from "../../site/index.ts";

export interface MenuLink {
  /** Without the base path; an address of another site as it is. */
  readonly path: string;
  readonly href: string;
  readonly name: string;
}

export function menuOf(locale: Locale): MenuLink[] {
  const { site } = siteSettings();
  const { page, reader } = locale;
  const names = {
    ...page,
    search: reader.search,
    favourites: reader.favourites,
    random: reader.random,
  };
  const links = site.menu.map((entry) => {
    if (typeof entry === "string") return [FIXED_PATHS[entry], names[entry]] as const;
    const { label } = entry;
    if (typeof label === "string") return [entry.href, label] as const;
    const name = label[locale.code] ?? label[site.language] ?? Object.values(label)[0];
    return [entry.href, name ?? entry.href] as const;
  });
  const own = siteData().pages.flatMap(({ path, menu }) =>
    path === null || menu === null ? [] : [[path, menu] as const],
  );
  return [...links, ...own].map(([path, name]) => ({
    ...{ path, name, href: path.startsWith("/") ? href(path) : path },
  }));
}
