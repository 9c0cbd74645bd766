/**
 * Redirects in the form of each host.
 *
 * Both ends are paths of slugs. They are percent-encoded all the same, and a path with a character that has a meaning in
 * one of the forms is left out: no name may add a rule.
 */
import { escapeHtml } from "../contract/text.ts";
import type { HostLimits } from "../contract/host.ts";
import type { Redirect } from "./addresses.ts";
import { vercelPattern } from "./headers.ts";

/** Letters, digits and hyphens, percent-encoded; the name of a file; the place of a quote. */
const SAFE = /^\/(?:[\w%.~-]+\/)*(?:[\w%.~-]+)?(?:#q\d+)?$/;

/** Characters of a rule: Cloudflare ignores a longer one. */
const MOST_CHARACTERS = 1_000;

/** @returns from the host's root, base path included; null for an address that is unsafe in the form of some host */
export function encoded({ from, to }: Redirect, base: string): Redirect | null {
  const encode = (path: string): string => encodeURI((base + path.slice(1)).toWellFormed());
  const ends = { from: encode(from), to: encode(to) };
  return SAFE.test(ends.from) && SAFE.test(ends.to) ? ends : null;
}

const ruleOf = ({ from, to }: Redirect): string => `${from} ${to} 301\n`;

/**
 * As many as the host accepts, the first first.
 *
 * @param redirects encoded
 * @param bytes of the file without them
 */
export function acceptedOf(
  redirects: Iterable<Redirect>,
  { redirects: most, redirectBytes }: Pick<HostLimits, "redirects" | "redirectBytes">,
  bytes = 0,
): Redirect[] {
  const accepted: Redirect[] = [];
  for (const redirect of redirects) {
    if (accepted.length >= (most ?? Infinity)) break;
    const { length } = ruleOf(redirect);
    if (length > MOST_CHARACTERS || bytes + length > (redirectBytes ?? Infinity)) continue;
    bytes += length;
    accepted.push(redirect);
  }
  return accepted;
}

/** Letters and digits of any script, of which none means more in a rule. */
const LETTERS = /^[\p{L}\p{M}\p{N}/.~-]+$/u;

/**
 * `_redirects` of Cloudflare and Netlify, and of GitLab.
 *
 * @param isDecoded whether the host compares a rule with the decoded path; where it leads stays encoded
 */
export function redirectsFile(redirects: readonly Redirect[], isDecoded = false): string {
  const rules = redirects.map(({ from, to }) => {
    const letters = isDecoded ? decodeURI(from) : from;
    return ruleOf({ from: LETTERS.test(letters) ? letters : from, to });
  });
  return rules.join("");
}

/** `redirects` of `vercel.json`. */
export const vercelRedirects = (redirects: readonly Redirect[]) =>
  redirects.map(({ from, to }) => ({
    source: vercelPattern(from),
    destination: to,
    permanent: true,
  }));

export interface RedirectPageWords {
  /** BCP 47, of the site's own language. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** "This page has moved", in that language. */
  readonly moved: string;
  readonly siteTitle: string;
  /** Where the quotes come from, in words and as an address; null on the paid plan. */
  readonly attribution: { readonly text: string; readonly url: string } | null;
}

/**
 * A page in the place of one that moved, for hosts without redirects.
 *
 * @param to percent-encoded, from the host's root
 * @param origin of the site, without a slash at the end
 */
export function redirectPage(to: string, origin: string, words: RedirectPageWords): string {
  const { lang, dir, attribution } = words;
  const [moved, title] = [escapeHtml(words.moved), escapeHtml(words.siteTitle)];
  const address = escapeHtml(origin + to);
  const footer =
    attribution === null
      ? ""
      : `<footer><p><a data-attribution href="${escapeHtml(attribution.url)}">${escapeHtml(attribution.text)}</a></p></footer>`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(lang)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${moved} · ${title}</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${address.replace(/#.*/, "")}">
<meta http-equiv="refresh" content="0; url=${escapeHtml(to)}">
</head>
<body>
<main><h1>${moved}</h1><p><a href="${escapeHtml(to)}">${address}</a></p></main>
${footer}
</body>
</html>
`;
}
