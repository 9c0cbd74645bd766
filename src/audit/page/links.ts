/** Resolves a link of a page to a file of the site. */
// Unlike `decodeURIComponent()`, it leaves a stray "%" of a fragment as browsers do.
import { unescape } from "node:querystring";

export interface SiteAddress {
  /** Scheme and host, without a trailing slash. */
  readonly origin: string;
  /** The base path, with slashes at both ends. */
  readonly base: string;
}

export type Target =
  | { readonly kind: "inside"; readonly file: string; readonly fragment: string }
  | { readonly kind: "outside" }
  /** A `javascript:` address or the like. */
  | { readonly kind: "code" }
  /** It cannot be parsed, or is not below the base path. */
  | { readonly kind: "broken"; readonly reason: string };

const OUTSIDE: Target = { kind: "outside" };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const RUNS_CODE = /^(?:javascript|vbscript|livescript)$/i;

/**
 * @param href with entities decoded; empty for the page itself
 * @param pagePath address of the page, decoded and without the base path
 */
export function targetOf(href: string, pagePath: string, site: SiteAddress): Target {
  const link = plainLink(href);
  const scheme = link.startsWith("/") ? undefined : SCHEME.exec(link)?.[1];
  if (scheme !== undefined) {
    if (RUNS_CODE.test(scheme)) return { kind: "code" };
    const inside = link.startsWith(site.origin + site.base);
    return inside ? inSite(link.slice(site.origin.length), site) : OUTSIDE;
  }
  if (link.startsWith("//")) return OUTSIDE;
  if (link.startsWith("/") && !link.includes("/.")) return inSite(link, site);
  const url = URL.parse(link, `http://site.invalid${site.base}${encodeURI(pagePath.slice(1))}`);
  if (url === null) return { kind: "broken", reason: "it is no address" };
  return inSite(url.pathname + url.search + url.hash, site);
}

/** Why a link leads to no file of the site; null for one that does, or that leads elsewhere. */
export function linkFault(
  link: string,
  target: Target,
  hasFile: (file: string) => boolean,
): string | null {
  if (target.kind === "broken") return `${link}: ${target.reason}`;
  return target.kind === "inside" && !hasFile(target.file) ? `${link} leads to no file` : null;
}

/**
 * Resolves an address that must be absolute and lead to a file of the site.
 *
 * @returns the target, or the fault as a clause without a subject
 */
export function ownTarget(
  address: string,
  site: SiteAddress & { readonly hasFile: (file: string) => boolean },
): { readonly file: string; readonly fragment: string } | string {
  if (!address.startsWith(site.origin + site.base)) return "is no absolute address of this site";
  const target = targetOf(address, "/", site);
  if (target.kind !== "inside") return "cannot be followed";
  return site.hasFile(target.file) ? target : "leads to no file";
}

/** Browsers remove these characters before they parse an address. */
const plainLink = (href: string): string => href.replace(/[\t\n\r]/g, "").trim();

function inSite(address: string, { base }: SiteAddress): Target {
  const hash = address.indexOf("#");
  const beforeHash = hash === -1 ? address : address.slice(0, hash);
  const query = beforeHash.indexOf("?");
  const path = query === -1 ? beforeHash : beforeHash.slice(0, query);
  if (!path.startsWith(base)) return { kind: "broken", reason: `it is not below ${base}` };
  try {
    const file = decoded(path.slice(base.length));
    const fragment = hash === -1 ? "" : unescape(idIn(address.slice(hash + 1)));
    const isFolder = file === "" || file.endsWith("/");
    return { kind: "inside", file: isFolder ? `${file}index.html` : file, fragment };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return { kind: "broken", reason: "its percent-encoding is broken" };
  }
}

/** The id in a fragment, without a text directive (`:~:`); empty for the top of the page. */
function idIn(fragment: string): string {
  const [id = ""] = fragment.split(":~:", 1);
  return id.toLowerCase() === "top" ? "" : id;
}

/** @throws {URIError} where the percent-encoding is broken */
const decoded = (text: string): string => (text.includes("%") ? decodeURIComponent(text) : text);

/** Whether an address has another origin than the site, and none of `mayAsk`. */
export function isElsewhere(
  address: string,
  { origin }: SiteAddress,
  mayAsk: readonly string[] = [],
): boolean {
  const link = plainLink(address);
  if (!/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(link)) return false;
  if (/^(?:data|blob|about):/i.test(link)) return false;
  const url = URL.parse(link, origin);
  return url === null || (url.origin !== origin && !mayAsk.includes(url.origin));
}
