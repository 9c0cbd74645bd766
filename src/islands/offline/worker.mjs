/* global SITE */
/**
 * The service worker: visited pages, and a few that everyone needs, stay readable without a connection.
 *
 * A page comes from the network whenever there is one, so that it is never stale. `SITE` is put in front of this text by
 * `src/pages/sw.js.ts`; it names the day of the build, so that each build is another worker, which fetches its pages anew.
 */

/** Most pages and most other files that are kept; the oldest go first. */
const MOST = { pages: 200, assets: 400 };

const { base, core, offline, isWanted } = SITE;
const names = { pages: `commonplace-pages:${base}`, assets: `commonplace-assets:${base}` };

/** Files whose name changes with their content. */
const isAsset = (path) => /^(?:_astro|_cards|_pictures|letters)\//.test(path.slice(base.length));

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all(isWanted ? core.map(keepPage) : []).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(isWanted ? self.clients.claim() : leave());
});

/** The worker of a site that wants none any more removes what an earlier one kept, and itself. */
async function leave() {
  await Promise.all(Object.values(names).map((name) => caches.delete(name)));
  await self.registration.unregister();
}

self.addEventListener("fetch", (event) => {
  if (!isWanted) return;
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (!url.pathname.startsWith(base) || url.pathname.startsWith(`${base}embed/`)) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (isAsset(url.pathname)) event.respondWith(asset(event));
  else if (url.pathname === `${base}icon.svg`) event.respondWith(page(event));
});

/** From the network; what was kept only where there is none. */
async function page(event) {
  const key = address(event.request.url);
  try {
    return await load(event, "pages", key);
  } catch {
    const cache = await caches.open(names.pages);
    return (await cache.match(key)) ?? (await cache.match(offline)) ?? Response.error();
  }
}

/** What was kept: its name says that it is the same. */
async function asset(event) {
  const { url } = event.request;
  const cache = await caches.open(names.assets);
  return (await cache.match(url)) ?? load(event, "assets", url);
}

async function load(event, kind, key) {
  const response = await fetch(event.request);
  if (response.ok && response.type === "basic") {
    event.waitUntil(put(kind, key, response.clone()));
  }
  return response;
}

/** What is asked of a page stays on the reader's side: one copy of it is kept. */
function address(url) {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

async function put(kind, key, response) {
  const cache = await caches.open(names[kind]);
  // Fails where there is no room: the copy of an earlier visit stays.
  await cache.put(key, response.clone());
  // In Safari, a key that is put again keeps its place among the oldest.
  await cache.delete(key);
  await cache.put(key, response);
  const keys = await cache.keys();
  const old = keys.filter(({ url }) => !core.includes(new URL(url).pathname));
  await Promise.all(
    old.slice(0, Math.max(0, keys.length - MOST[kind])).map((key) => cache.delete(key)),
  );
}

/** A page with the sheets, scripts and typefaces that it names. A file that is not there is left out. */
async function keepPage(path) {
  const response = await fetch(path, { cache: "no-cache" });
  if (!response.ok) return;
  const html = await response.clone().text();
  await put("pages", address(response.url), response);
  const named = html.matchAll(/(?:href|src)="([^"?#]*\/(?:_astro|letters)\/[^"?#]+)"/g);
  await Promise.all(Array.from(named, ([, file]) => keepAsset(new URL(file, response.url).href)));
}

/** A script brings those that it imports, and a sheet of letters its typefaces. */
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
