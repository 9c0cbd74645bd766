/**
 * Leads from the quotes of the site's day to those of the reader's own date, where that is the day before or after. Without
 * this script a reader has the day of the site.
 */
import { element } from "./browser.ts";

/** The date of this page, and paths of pages by date. */
interface Days {
  readonly shown: string;
  readonly pages: Readonly<Record<string, string>>;
}

const { shown, pages } = JSON.parse(element(document, "#own-day", HTMLElement).textContent) as Days;

async function lead(): Promise<void> {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, "0")).join("-");
  const path = pages[date];
  // A host may serve the page at another address than the site gives it.
  if (path === undefined || date === shown) return;
  // Without a connection this page stays, which the reader can see.
  const answer = await fetch(path, { method: "HEAD" }).catch(() => null);
  if (answer?.ok === true) location.replace(path);
}

void lead();
