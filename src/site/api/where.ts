/** On which page of its author's listing each quote stands, dealt out to files by pk. */
import { PLACE_FILES } from "../../contract/place-files.ts";
import { listingPath } from "../address.ts";
import type { SiteReader } from "../reader.ts";

type Places = Map<number, string>;

const made = new WeakMap<SiteReader, Places[]>();

/** The files that hold anything, by number. */
export function placeFiles(site: SiteReader): number[] {
  return placesOf(site).flatMap((places, file) => (places.size > 0 ? [file] : []));
}

/** Paths by pk. */
export function placesIn(site: SiteReader, file: number): Record<string, string> {
  return Object.fromEntries(placesOf(site)[file] ?? []);
}

function placesOf(site: SiteReader): Places[] {
  let files = made.get(site);
  if (files !== undefined) return files;
  files = Array.from({ length: PLACE_FILES }, () => new Map<number, string>());
  for (const { slug, page } of site.listingPaths("author")) {
    const path = listingPath("author", slug, page);
    for (const id of site.listing("author", slug, page).ids) files[id % PLACE_FILES]?.set(id, path);
  }
  made.set(site, files);
  return files;
}
