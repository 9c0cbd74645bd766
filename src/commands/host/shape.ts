/** The shape of a snapshot, as the estimate of a site's size wants it. */
import { openPublished, type PublishedSnapshot } from "../../snapshot/index.ts";
import {
  grown,
  shapeOf,
  typicalShape,
  type SiteShape,
  type SizeSettings,
} from "../../plan/index.ts";
import type { Settings } from "../../settings/settings.ts";

/** The shape of what is published; null where nothing is. */
export function publishedShape(stateDir: string): SiteShape | null {
  const snapshot = openPublished(stateDir);
  try {
    return snapshot === null || snapshot.count() === 0 ? null : shapeOfSnapshot(snapshot);
  } finally {
    snapshot?.close();
  }
}

/** The shape of the last snapshot, grown to a number of quotes; without one, that of collections we know. */
export function expectedShape(stateDir: string, quotes: number): SiteShape {
  const shape = publishedShape(stateDir);
  return shape === null ? typicalShape(quotes) : grown(shape, quotes / shape.quotes);
}

function shapeOfSnapshot(snapshot: PublishedSnapshot): SiteShape {
  let bytes = 0;
  for (const { text } of snapshot.all()) bytes += Buffer.byteLength(text);
  let pictures = 0;
  for (const image of snapshot.images()) if (image !== "") pictures++;
  const names = {
    author: snapshot.authors(),
    tag: snapshot.tags(),
    language: snapshot.languages(),
  };
  return shapeOf(names, snapshot.tagList(), { textBytes: bytes / snapshot.count(), pictures });
}

/** What of the settings the size of a site follows from. */
export function sizeSettingsOf({ site }: Settings): SizeSettings {
  const { perPage, quotePages, embeds, cards, minTagQuotes } = site;
  return { perPage, quotePages, embeds, cards, minTagQuotes };
}
