/**
 * Light or dark before the first paint: the one script that may hold up a page, and so the shortest.
 *
 * It stands inline in every head. The policy of the site allows no inline script but those it names by their digest,
 * so the digest in `astro.config.mjs` is taken from this very text.
 */

/** Where the reader's choice is kept; absent means "as the system". */
export const SCHEME_KEY = "scheme";

/** Storage may be refused by the reader; then the system's scheme stays. */
export const SCHEME_SCRIPT = `try{let s=localStorage.getItem("${SCHEME_KEY}");if(s)document.documentElement.dataset.scheme=s}catch(refused){}`;
