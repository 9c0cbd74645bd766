/**
 * What a fork changes first. Options and environment variables win over what stands here.
 */
import type { SiteConfigFile } from "./settings/site-config.ts";

export const siteConfig: SiteConfigFile = {
  // The name in the header, in titles, feeds and cards.
  title: "Commonplace",
  // One sentence for search engines and the head of the home page.
  description: "Sentences worth keeping, in many languages.",
  // Where the site will live, without a path; `SITE_URL` overrides it.
  url: "http://localhost:4321",
  // The folder below that address, with slashes at both ends; `SITE_BASE` overrides it.
  base: "/",
  // The language of the pages that belong to no language: home, tags, authors, about. `SITE_LANGUAGE` overrides it.
  language: "en",
  // Quotes on a listing page.
  perPage: 50,
  // Quotes with a page of their own, `/quote/<pk>/`: all of them where there are no more than this, else the most liked.
  // The link of every other quote leads to its place in its author's listing.
  quotePages: 20_000,
  // Quotes that a tag must have to get a listing; a tag with fewer is plain text on its cards. 1 leaves none out.
  minTagQuotes: 1,
  // How it all looks: `folio`, `press`, `night-reader`, a path to a folder (`../my-theme`) or the name of an npm
  // package. `SITE_THEME` overrides it. See docs/themes.md.
  theme: "folio",
  // Quotes, authors and tags with a card of their own, for those who share a link; the rest share the site's.
  cards: 500,
  // What becomes of a picture that cannot be had: `fallback` draws a stand-in, `skip` leaves the space out, `fail` ends
  // the build.
  pictures: "fallback",
  // Days after which pages say that the quotes may be out of date.
  staleAfterDays: 7,
  // Whom every footer thanks. The service's terms ask for this link on the free plan.
  attribution: { name: "the quotes service", url: "https://github.com/commonplace/commonplace" },
  // Quotes the next build leaves out of every page, feed, card and search, whatever the service says: by their `pk`, and
  // all quotes of an author or with a tag. Case, accents and punctuation of names do not matter.
  hidden: { pks: [], authors: [], tags: [] },
  // How often the harvest asks which quotes a person chose: `always`, `weekly` or `never`. It takes about a sixth more
  // requests, after all others and only where `--max-requests` leaves them; weekly, never on the night that reads a
  // collection for the first time. The embedded service is asked whatever stands here, but for `never`.
  askCurated: "weekly",
  // Where the site is put: `github-pages`, `cloudflare`, `netlify`, `vercel`, `gitlab`, `s3`, or `none` for a server of
  // your own. Its limits are checked, and its headers and redirects written. `SITE_HOST` overrides it. See docs/hosts.md.
  host: "none",
  // Your own figures in the place of the host's, such as `{ files: 100_000 }` on a larger plan; null for no limit.
  hostLimits: {},
  // Whether a site that the host would not take is made smaller, as `--fit` does, or refused.
  fit: false,
  // Most bytes that the audit lets a page weigh: `html` by kind of page, such as `{ tag: 200_000 }`, where the default for
  // its kind will not do; `css` and `js` compressed.
  budgets: { html: {}, css: 8_000, js: 16_000 },
  // Pages that are meant to stay out of search engines; the audit refuses a `noindex` on any other.
  unlisted: ["/404.html", "/favourites/", "/random/"],
};
