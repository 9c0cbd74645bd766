/** Lists the pages that the service worker has cached, the latest visit first. */
import { element, make } from "../browser.ts";

/** Pages that are listed at most. */
const MAX_PAGES = 50;

async function listPages(): Promise<void> {
  const list = element(document, "#kept-pages", HTMLUListElement);
  const name = `commonplace-pages:${list.dataset["base"] ?? "/"}`;
  if (!("caches" in window) || !(await caches.has(name))) return;
  const cache = await caches.open(name);
  const keys = (await cache.keys()).toReversed().slice(0, MAX_PAGES);
  for (const request of keys) {
    const response = await cache.match(request);
    if (!(response?.headers.get("Content-Type") ?? "").includes("html")) continue;
    const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
    if (page.querySelector("#kept-pages") !== null) continue;
    const link = make("a", { href: request.url, dir: "auto" }, page.title);
    list.append(make("li", {}, link));
  }
  element(document, "#kept-pages-title", HTMLElement).hidden = list.childElementCount === 0;
}

void listPages();
