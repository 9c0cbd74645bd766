/** The pictures of a page: what a link to it is shown with, the page's own or the site's; and its own as a square. */
import { join } from "node:path";
import type { OgImage, OgShape } from "../contract/picture.ts";
import { openOgImages, type OgLookup } from "../images/lookup.ts";
import { keyOf } from "./og-requests.ts";
import { siteSettings } from "./settings.ts";

let images: OgLookup | undefined;

/**
 * @param path of the page, without the base path
 * @param shape `square` for quotes alone: null where the page has none of its own
 * @returns null where no image was made
 */
export function ogImage(path: string, shape: OgShape = "wide"): OgImage | null {
  if (images === undefined) {
    const { stateDir, site } = siteSettings();
    images = openOgImages({ cacheDir: join(stateDir, "cards"), prefix: `${site.base}_cards/` });
  }
  return images.image(keyOf(path), shape);
}
