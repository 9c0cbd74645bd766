/** Addresses as pages write them: the plan's paths below the site's base folder. */
import { siteSettings } from "./settings.ts";

/** @param path from the site's root, such as `/tags/` */
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
