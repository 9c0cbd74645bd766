/**
 * Tells the browser to fetch the page behind a link the reader is about to follow. No script runs for it.
 *
 * Prefetch and not prerender: a page is small, and a prerendered one would count as visited.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "moderate" }],
});
