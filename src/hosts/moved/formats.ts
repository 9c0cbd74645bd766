/**
 * Redirects in the words of each host.
 *
 * Both ends are paths made of slugs; they are percent-encoded all the same, and a path that then holds a character
 * that any of the forms gives a meaning to is left out: no name may add a rule.
 */
import type { HostLimits } from "../../contract/host.ts";
import { literal } from "../headers/formats.ts";
import type { Redirect } from "./resolve.ts";

/** Letters, digits and hyphens, percent-encoded; a file's name; a quote's place. */
const SAFE = /^\/(?:[\w%.~-]+\/)*(?:[\w%.~-]+)?(?:#q\d+)?$/;

export interface EncodedRedirect {
  /** From the host's root, base path included. */
  readonly from: string;
  readonly to: string;
}

/** @returns null for an address that is unsafe in the form of some host */
export function encoded({ from, to }: Redirect, base: string): EncodedRedirect | null {
  const ends = { from: encode(from, base), to: encode(to, base) };
  return SAFE.test(ends.from) && SAFE.test(ends.to) ? ends : null;
}

function encode(path: string, base: string): string {
  return encodeURI((base + path.slice(1)).toWellFormed());
}

type RedirectLimits = Pick<HostLimits, "redirects" | "redirectBytes" | "redirectLine">;

/** As many rules as the host takes, from the front: of Cloudflare, Netlify and GitLab. */
export function redirectsFile(
  redirects: Iterable<EncodedRedirect>,
  { redirects: most, redirectBytes, redirectLine }: RedirectLimits,
): { readonly text: string; readonly rules: number } {
  let text = "";
  let rules = 0;
  for (const { from, to } of redirects) {
    if (rules >= (most ?? Infinity)) break;
    const line = `${from} ${to} 301\n`;
    if (line.length > (redirectLine ?? Infinity)) continue;
    if (text.length + line.length > (redirectBytes ?? Infinity)) continue;
    text += line;
    rules++;
  }
  return { text, rules };
}

export interface VercelRedirect {
  readonly source: string;
  readonly destination: string;
  readonly permanent: true;
}

export function vercelRedirects(
  redirects: Iterable<EncodedRedirect>,
  { redirects: most }: RedirectLimits,
): VercelRedirect[] {
  const rules: VercelRedirect[] = [];
  for (const { from, to } of redirects) {
    if (rules.length >= (most ?? Infinity)) break;
    rules.push({ source: literal(from), destination: to, permanent: true });
  }
  return rules;
}
