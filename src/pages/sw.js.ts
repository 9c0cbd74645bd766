/** The service worker. It is there also where a site wants none: an earlier one is then replaced, and leaves. */
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
