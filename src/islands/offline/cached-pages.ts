/** Lists the pages that the service worker keeps, the latest visited first. */
import { element, make } from "../browser.ts";

/** As many as a reader looks through. */
const SHOWN = 50;

async function list(): Promise<void> {
  const here = element(document, "#kept-pages", HTMLUListElement);
  const name = `commonplace-pages:${here.dataset["base"] ?? "/"}`;
  if (!("caches" in window) || !(await caches.has(name))) return;
  const cache = await caches.open(name);
  const keys = (await cache.keys()).toReversed().slice(0, SHOWN);
  for (const request of keys) {
    const response = await cache.match(request);
    if (!(response?.headers.get("Content-Type") ?? "").includes("html")) continue;
    const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
    if (page.querySelector("#kept-pages") !== null) continue;
    const link = make("a", { href: request.url, dir: "auto" }, page.title);
    here.append(make("li", {}, link));
  }
}

void list();
