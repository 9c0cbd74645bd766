/**
 * A small page in the place of one that moved, for hosts that know no redirects: it leads on at once, and says so to those
 * whose browser does not.
 */
import { escapeHtml } from "../../contract/escape.ts";

export interface LeadingPageWords {
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
 * @param to percent-encoded, from the host's root
 * @param origin of the site, without a slash at the end
 */
export function leadingPage(to: string, origin: string, words: LeadingPageWords): string {
  const { lang, dir, moved, siteTitle, attribution } = words;
  const address = escapeHtml(origin + to);
  const [canonical = ""] = address.split("#");
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
<title>${escapeHtml(moved)} · ${escapeHtml(siteTitle)}</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${canonical}">
<meta http-equiv="refresh" content="0; url=${escapeHtml(to)}">
</head>
<body>
<main><h1>${escapeHtml(moved)}</h1><p><a href="${escapeHtml(to)}">${address}</a></p></main>
${footer}
</body>
</html>
`;
}
