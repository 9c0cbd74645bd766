/**
 * Leads from the quotes of the site's day to those of the reader's own date, where that is the day before or after. Without
 * this script a reader has the day of the site.
 */
import { element } from "./browser.ts";

/** Paths of pages by date. */
const pages = JSON.parse(element(document, "#own-day", HTMLElement).textContent) as Readonly<
  Record<string, string>
>;

async function lead(): Promise<void> {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const path = pages[parts.map((part) => String(part).padStart(2, "0")).join("-")];
  if (path === undefined || path === location.pathname) return;
  // Without a connection this page stays, which the reader can see.
  const answer = await fetch(path, { method: "HEAD" }).catch(() => null);
  if (answer?.ok === true) location.replace(path);
}

void lead();
