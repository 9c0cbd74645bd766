/**
 * Redirects in the format of each host.
 *
 * Paths are percent-encoded, and a path with a character that has a meaning in one of the formats is left out: the name of an
 * author or tag must not be able to add a rule.
 */
import { escapeHtml } from "../util/text.ts";
import type { HostLimits } from "../contract/host.ts";
import type { Redirect } from "./addresses.ts";
import { vercelPattern } from "./headers.ts";

/** Slugs, percent-encoded; at the end the name of a file or the fragment of a quote. */
const SAFE = /^\/(?:[\w%.~-]+\/)*(?:[\w%.~-]+)?(?:#q\d+)?$/;

/** Maximum characters of a rule: Cloudflare ignores a longer one. */
const MOST_CHARACTERS = 1_000;

/** @returns encoded paths with the base path; null where one is unsafe in the format of some host */
export function encoded({ from, to }: Redirect, base: string): Redirect | null {
  const encode = (path: string): string => encodeURI((base + path.slice(1)).toWellFormed());
  const ends = { from: encode(from), to: encode(to) };
  return SAFE.test(ends.from) && SAFE.test(ends.to) ? ends : null;
}

const ruleOf = ({ from, to }: Redirect): string => `${from} ${to} 301\n`;

/**
 * The first redirects, as many as the host accepts.
 *
 * @param bytes of the file without redirects
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

/** Letters and digits of any script, none of which has a meaning in a rule. */
const LETTERS = /^[\p{L}\p{M}\p{N}/.~-]+$/u;

/**
 * `_redirects` of Cloudflare, Netlify and GitLab.
 *
 * @param isDecoded whether the host compares a rule with the decoded path; the target stays encoded
 */
export function redirectsFile(redirects: readonly Redirect[], isDecoded = false): string {
  const rules = redirects.map(({ from, to }) => {
    const decoded = decodeURI(from);
    return ruleOf({ from: isDecoded && LETTERS.test(decoded) ? decoded : from, to });
  });
  return rules.join("");
}

export const vercelRedirects = (redirects: readonly Redirect[]) =>
  redirects.map(({ from, to }) => ({
    source: vercelPattern(from),
    destination: to,
    permanent: true,
  }));

export interface RedirectPageWords {
  /** The site's language, BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** "This page has moved", in the site's language. */
  readonly moved: string;
  readonly siteTitle: string;
  /** Null on the paid plan. */
  readonly attribution: { readonly text: string; readonly href: string } | null;
}

/**
 * A page that redirects, for hosts without redirects.
 *
 * @param to percent-encoded, from the host's root
 * @param origin of the site, without a trailing slash
 */
export function redirectPage(to: string, origin: string, words: RedirectPageWords): string {
  const { lang, dir, attribution } = words;
  const [moved, title] = [escapeHtml(words.moved), escapeHtml(words.siteTitle)];
  const address = escapeHtml(origin + to);
  const footer =
    attribution === null
      ? ""
      : `<footer><p><a data-attribution href="${escapeHtml(attribution.href)}">${escapeHtml(attribution.text)}</a></p></footer>`;
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
