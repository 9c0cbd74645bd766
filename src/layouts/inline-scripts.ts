/**
 * The inline scripts of every page. The policy allows no others: `astro.config.mjs` takes their digests from these texts.
 */

/** Where the reader's choice of light or dark is kept; absent means "as the system". */
export const SCHEME_KEY = "scheme";

/**
 * Runs before the first paint, so it is short. It sets the scheme; where storage is refused, the system's stays. And it marks
 * a page in a frame, whose votes the style sheet hides until the vote script removes them: see `VoteBox`.
 */
export const HEAD_SCRIPT = `if(top!==self)document.documentElement.dataset.framed="";try{let s=localStorage.getItem("${SCHEME_KEY}");if(s)document.documentElement.dataset.scheme=s}catch(refused){}`;

/**
 * Lets the browser fetch the page behind a link that the reader is about to follow.
 *
 * Prefetch and not prerender: a page is small, and a prerendered one would count as visited.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "moderate" }],
});
