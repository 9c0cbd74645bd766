/* global SITE */
/**
 * The service worker caches visited pages, and a few core pages, for times without a connection.
 *
 * With a connection, a page comes from the network, so it is never stale, and a page that is gone is deleted. Where the network
 * says nothing for some seconds, or the host has an error, the copy is shown with its date.
 * `src/pages/sw.js.ts` puts `SITE` in front of this text. `SITE` has the date of the build, so each build is a new worker,
 * which fetches the core pages again.
 */

/** How long the network may say nothing before the copy of a page is shown, in milliseconds. */
const SILENCE_MS = 3_000;

/** Cached pages and other files at most; the oldest are deleted first. */
const LIMITS = { pages: 200, assets: 400 };

/** Bytes of the search index at most: what the last searches loaded. */
const SEARCH_BYTES = 5_000_000;

const { base, core, offline, isWanted } = SITE;
const names = {
  pages: `commonplace-pages:${base}`,
  assets: `commonplace-assets:${base}`,
  searches: `commonplace-searches:${base}`,
};

/** Files whose name changes with their content. */
const isAsset = (path) => /^(?:_astro|_cards|_pictures|letters)\//.test(path.slice(base.length));

/** Whether an address is one of the site, and not of a page to embed. */
const isKept = ({ origin, pathname }) =>
  origin === location.origin && pathname.startsWith(base) && !pathname.startsWith(`${base}embed/`);

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all(isWanted ? core.map(keepPage) : []).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(isWanted ? start() : removeAll());
});

/** With preload, the browser requests a page while this worker starts. Pages that are open came before it, and are kept, too. */
async function start() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
  const open = await self.clients.matchAll({ type: "window" });
  const own = open.filter(({ url }) => isKept(new URL(url)));
  await Promise.all(own.map(({ url }) => keepPage(address(url)).catch(() => {})));
}

/** Where the site has turned caching off, this worker deletes the caches and unregisters itself. */
async function removeAll() {
  await Promise.all(Object.values(names).map((name) => caches.delete(name)));
  await self.registration.unregister();
}

self.addEventListener("fetch", (event) => {
  if (!isWanted) return;
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !isKept(url)) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (isAsset(url.pathname)) event.respondWith(asset(event));
  else if (url.pathname.startsWith(`${base}pagefind/`)) event.respondWith(search(event));
  else if (url.pathname === `${base}icon.svg`) event.respondWith(page(event));
});

/** Answers from the network, or from the cache where there is no connection, no answer for a while, or an error of the host. */
async function page(event) {
  const key = address(event.request.url);
  const copy = await copyOf(key);
  const loading = load(event, "pages", key);
  // It may fail after the copy was shown.
  event.waitUntil(loading.catch(() => {}));
  if (copy === undefined) return loading.catch(() => offlinePage());
  const silence = new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
  const response = await Promise.race([loading, silence]).catch(() => null);
  // Without a connection a browser says so itself.
  if (response === null) return copy;
  if (response !== undefined && response.status < 500) return response;
  event.waitUntil(dateCopy(event, copy.headers.get("Date")));
  return copy;
}

/** The copy of a page. Where the host takes the slash away, it is that of the address without one. */
async function copyOf(key) {
  const cache = await caches.open(names.pages);
  return (await cache.match(key)) ?? (await cache.match(key.replace(/\/$/, "")));
}

async function offlinePage() {
  return (await copyOf(address(new URL(offline, location.origin).href))) ?? Response.error();
}

/** Gives the date of a copy to the page, which exists some time after the answer. */
async function dateCopy(event, date) {
  for (let round = 0; round < 40; round++) {
    const page = await self.clients.get(event.resultingClientId);
    if (page !== undefined) return page.postMessage({ copyFrom: date });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Answers from the cache first: the name of an asset changes with its content. */
async function asset(event) {
  const { url } = event.request;
  const cache = await caches.open(names.assets);
  const kept = await cache.match(url);
  if (kept !== undefined && !isMistaken(url, kept)) return kept;
  return load(event, "assets", url).catch(() => Response.error());
}

/** Answers from the network, or from the cache where there is no connection: an index of yesterday is no error then. */
async function search(event) {
  const key = address(event.request.url);
  const cache = await caches.open(names.searches);
  try {
    const response = await fetch(event.request);
    if (response.ok && !isMistaken(key, response)) {
      event.waitUntil(keepSearch(cache, key, response.clone()));
    }
    return response;
  } catch {
    return (await cache.match(key)) ?? Response.error();
  }
}

/** Keeps a file of the index, with its size, as the newest. The oldest go. */
async function keepSearch(cache, key, response) {
  const body = await response.blob();
  const { status } = response;
  const headers = { "Content-Type": body.type, "Content-Length": String(body.size) };
  await cache.delete(key);
  await cache.put(key, new Response(body, { status, headers }));
  let bytes = 0;
  for (const kept of (await cache.keys()).reverse()) {
    const answer = await cache.match(kept);
    bytes += Number(answer?.headers.get("Content-Length") ?? 0);
    if (bytes > SEARCH_BYTES) await cache.delete(kept);
  }
}

/** Where a preload fails, Firefox gives an error as its answer; others reject. */
async function fromNetwork(event) {
  const response = (await event.preloadResponse) ?? (await fetch(event.request));
  if (response.type === "error") throw new TypeError("The network did not answer");
  return response;
}

async function load(event, kind, key) {
  const response = await fromNetwork(event);
  const isGone = response.status === 404 || response.status === 410;
  if (response.ok && response.type === "basic") {
    event.waitUntil(put(kind, key, response.clone()));
  } else if (isGone) {
    event.waitUntil(caches.open(names[kind]).then((cache) => cache.delete(key)));
  }
  return response;
}

/** Whether a page has the manifest of this site: another site may be below this one. Other files are own. */
async function isOwn(response) {
  if (!(response.headers.get("Content-Type") ?? "").includes("html")) return true;
  return (await response.text()).includes(`href="${base}manifest.webmanifest"`);
}

/** The cache key of a page: its address without the query, which only scripts read. */
function address(url) {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Some hosts answer for a file that they do not have yet with a page and status 200: it must not be kept as the file. */
const isMistaken = (url, response) =>
  /\.(?!html?$)\w+$/.test(new URL(url).pathname) &&
  /html/i.test(response.headers.get("Content-Type") ?? "");

async function put(kind, key, response) {
  if (isMistaken(key, response) || !(await isOwn(response.clone()))) return;
  const cache = await caches.open(names[kind]);
  // Where this fails for lack of space, the earlier copy remains.
  await cache.put(key, response.clone());
  // In Safari, a key that is put again keeps its old position.
  await cache.delete(key);
  await cache.put(key, response);
  const keys = await cache.keys();
  const old = keys.filter(({ url }) => !core.includes(new URL(url).pathname.replace(/\/?$/, "/")));
  await Promise.all(
    old.slice(0, Math.max(0, keys.length - LIMITS[kind])).map((key) => cache.delete(key)),
  );
}

/** Caches a page with the style sheets, scripts and fonts that it refers to. A missing file is skipped. */
async function keepPage(path) {
  const answer = await fetch(path, { cache: "no-cache" });
  if (!answer.ok) return;
  // A browser shows no answer that was redirected: a new one is only the page that it led to.
  const response = answer.redirected ? new Response(answer.body, answer) : answer;
  const html = await response.clone().text();
  await put("pages", address(answer.url), response);
  const named = html.matchAll(/(?:href|src)="([^"?#]*\/(?:_astro|letters)\/[^"?#]+)"/g);
  await Promise.all(Array.from(named, ([, file]) => keepAsset(new URL(file, answer.url).href)));
}

/** Caches an asset with the scripts that it imports and the fonts that it refers to. */
async function keepAsset(url) {
  const cache = await caches.open(names.assets);
  if (!isAsset(new URL(url).pathname) || (await cache.match(url)) !== undefined) return;
  const response = await fetch(url);
  if (!response.ok) return;
  const text = /\.(?:js|css)$/.test(url) ? await response.clone().text() : "";
  await put("assets", url, response);
  const imported = text.matchAll(/["'`](\.\/[\w.-]+\.js|[\w.-]+\.woff2)["'`]/g);
  await Promise.all(Array.from(imported, ([, file]) => keepAsset(new URL(file, url).href)));
}
