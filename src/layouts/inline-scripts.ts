/** The inline scripts of every page. The policy (CSP) allows only these, by the digests in `astro.config.mjs`. */

/** Key of the reader's choice of light or dark in local storage; without it the system decides. */
export const SCHEME_KEY = "scheme";

/**
 * Runs before the first paint. It sets the colour scheme if storage is allowed, and marks a page in a frame: the style sheet
 * hides its votes until the vote script removes them (`VoteBox`).
 */
export const HEAD_SCRIPT = `if(top!==self)document.documentElement.dataset.framed="";try{let s=localStorage.getItem("${SCHEME_KEY}");if(s)document.documentElement.dataset.scheme=s}catch(refused){}`;

/** Lets the browser prefetch the next page. A prerendered page would count as visited. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "moderate" }],
});
