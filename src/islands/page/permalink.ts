/**
 * Redirects a permalink to the page that has the quote now. Quotes move between pages of a listing as quotes are added and
 * votes change, and a quote may lose its own page to one with more likes.
 *
 * The page is read from one small file, and only where the link fails.
 */
import { PLACE_FILES } from "../../contract/place-files.ts";
import { pageWords } from "../browser.ts";

/** @param missing whether the requested page does not exist */
export async function followPermalink(missing: boolean): Promise<void> {
  const { base } = pageWords();
  const inPath = missing
    ? new RegExp(`^${base}quote/(\\d{1,16})/?$`).exec(location.pathname)
    : null;
  const id = (/^#q(\d{1,16})$/.exec(location.hash) ?? inPath)?.[1];
  if (id === undefined || document.getElementById(`q${id}`) !== null) return;
  const answer = await fetch(`${base}api/v1/where/${Number(id) % PLACE_FILES}.json`);
  if (!answer.ok) return;
  const { where } = (await answer.json()) as { where: Readonly<Record<string, string>> };
  const path = Object.hasOwn(where, id) ? where[id] : undefined;
  if (path === undefined) return;
  const target = new URL(`${base}${path.slice(1)}#q${id}`, location.origin);
  // Avoids a loop where the file names this page, which does not have the quote.
  if (target.pathname === location.pathname) return;
  location.replace(target);
}
