/** The inline scripts of every page. The policy (CSP) allows only these, by the digests in `astro.config.mjs`. */

/** Key of the reader's choice of light or dark in local storage; without it the system decides. */
export const SCHEME_KEY = "scheme";

/**
 * Runs before the first paint. It sets the colour scheme if storage is allowed, and marks a page in a frame: the style sheet
 * hides its votes until the vote script removes them (`VoteBox`).
 */
export const HEAD_SCRIPT = `if(top!==self)document.documentElement.dataset.framed="";try{let s=localStorage.getItem("${SCHEME_KEY}");if(s)document.documentElement.dataset.scheme=s}catch(refused){}`;

/**
 * Runs behind the quotes of today, before they are painted: those in the languages that the reader reads come first, as
 * src/islands/languages.ts chooses them, and a disclosure takes the others. Without any of them all stay.
 */
export const ORDER_SCRIPT = `{let h=document.documentElement,d=document.currentScript.previousElementSibling,q=d.previousElementSibling,a=[...q.children],p=t=>t.split("-")[0].toLowerCase(),o;try{o=localStorage.getItem("commonplace-languages:"+d.dataset.base)}catch(refused){}o=new Set((o?o.split(" "):["local"in h.dataset?h.lang:"-",...navigator.languages]).flatMap(t=>a.filter(e=>p(e.lang)==p(t))));if(o.size){q.append(...o);d.lastElementChild.append(...a.filter(e=>!o.has(e)));d.hidden=o.size==a.length}}`;

/** Lets the browser prefetch the next page. A prerendered page would count as visited. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "moderate" }],
});
