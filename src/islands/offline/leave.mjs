/* global SITE */
/** The worker of a site that wants none any more: it removes what an earlier one kept, and itself. */

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(leave());
});

async function leave() {
  const names = await caches.keys();
  const own = names.filter(
    (name) => /^commonplace-(?:pages|assets):/.test(name) && name.endsWith(`:${SITE.base}`),
  );
  await Promise.all(own.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
