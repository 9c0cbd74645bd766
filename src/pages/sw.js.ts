/** The service worker. A site without one has the file too, which removes an earlier worker. */
import worker from "../islands/offline/worker.mjs?raw";
import { FIXED_PATHS, href, openSite, safeJson, siteSettings } from "../site/index.ts";

const { home, today, favourites, offline } = FIXED_PATHS;

export const GET = () => {
  const site = {
    base: href("/"),
    core: [home, today, favourites, offline].map(href),
    offline: href(offline),
    day: openSite().day(),
    isWanted: siteSettings().site.offline,
  };
  const text = `const SITE = ${safeJson(site)};\n${worker}`;
  return new Response(text, { headers: { "Content-Type": "text/javascript" } });
};
