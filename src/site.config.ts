/**
 * What a fork changes first. Options and environment variables win over what stands here.
 */
import type { SiteConfig } from "./settings/site-config.ts";

export const siteConfig: SiteConfig = {
  // The name in the header, in titles, feeds and cards.
  title: "Commonplace",
  // One sentence for search engines and the head of the home page.
  description: "Sentences worth keeping, in many languages.",
  // Where the site will live, without a path; `SITE_URL` overrides it.
  url: "http://localhost:4321",
  // The folder below that address, with slashes at both ends; `SITE_BASE` overrides it.
  base: "/",
  // The language of the pages that belong to no language: home, tags, authors, about.
  language: "en",
  // Quotes on a listing page.
  perPage: 50,
  // Quotes with a page of their own, `/quote/<pk>/`: all of them where there are no more than this, else the most liked.
  // The link of every other quote leads to its place in its author's listing.
  quotePages: 20_000,
  // How it all looks: `folio`, `press`, `night-reader`, a path to a folder (`../my-theme`) or the name of an npm
  // package. `SITE_THEME` overrides it. See docs/themes.md.
  theme: "folio",
  // Days after which pages say that the quotes may be out of date.
  staleAfterDays: 7,
  // Whom every footer thanks. The service's terms ask for this link on the free plan.
  attribution: { name: "the quotes service", url: "https://github.com/commonplace/commonplace" },
};
