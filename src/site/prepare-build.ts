/** Writes the plan and the days, which all rendering threads read; runs while Astro bundles. */
import { storePages } from "./last-changed.ts";
import { openSite } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

const site = openSite();
storePages(siteSettings().stateDir, site);
site.close();
