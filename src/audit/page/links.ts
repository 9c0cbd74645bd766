/** Where a link of a page leads: to a file of the site, out of it, or nowhere. */
import type { Tag } from "../html/tags.ts";
import { candidates } from "./resources.ts";

export interface SiteAddress {
  /** Scheme and host, without a slash at the end. */
  readonly origin: string;
  /** With slashes at both ends. */
  readonly base: string;
}

export type Target =
  | { readonly kind: "inside"; readonly file: string; readonly fragment: string }
  | { readonly kind: "outside" }
  /** It runs code instead of leading anywhere. */
  | { readonly kind: "code" }
  /** It cannot be read, or leads beside the site. */
  | { readonly kind: "broken"; readonly reason: string };

const OUTSIDE: Target = { kind: "outside" };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const RUNS_CODE = /^(?:javascript|vbscript|livescript)$/i;

/** Attributes that hold an address, by element. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  area: ["href"],
  link: ["href"],
  script: ["src"],
  img: ["src", "srcset"],
  source: ["src", "srcset"],
  iframe: ["src"],
  object: ["data"],
  form: ["action"],
  button: ["formaction"],
  use: ["href"],
  image: ["href"],
  video: ["src", "poster"],
  audio: ["src"],
  "astro-island": ["component-url", "renderer-url", "before-hydration-url"],
};

/** Most elements have none: one list for all of them. */
const NONE: readonly string[] = [];

/** The addresses that an element has, its card for those who share the page included. */
export function linksOf(tag: Tag): readonly string[] {
  if (tag.name === "meta") {
    return /^og:(?:image|url)$/.test(tag.get("property") ?? "") ? [tag.get("content") ?? ""] : [];
  }
  const attributes = ADDRESSES[tag.name];
  if (attributes === undefined) return NONE;
  const links: string[] = [];
  for (const attribute of attributes) {
    const value = tag.get(attribute);
    if (value !== undefined) links.push(...(attribute === "srcset" ? candidates(value) : [value]));
  }
  return links;
}

/**
 * @param href as the page has it, entities decoded
 * @param pagePath the page's address, without the base path
 */
export function targetOf(href: string, pagePath: string, site: SiteAddress): Target {
  // Browsers drop these before they look for a scheme.
  const link = href.replace(/[\t\n\r]/g, "").trim();
  const scheme = SCHEME.exec(link)?.[1];
  if (scheme !== undefined) {
    if (RUNS_CODE.test(scheme)) return { kind: "code" };
    const inside = link.startsWith(site.origin + site.base);
    return inside ? inSite(link.slice(site.origin.length), site) : OUTSIDE;
  }
  if (link.startsWith("//")) return OUTSIDE;
  if (link.startsWith("/") && !link.includes("/.")) return inSite(link, site);
  if (!URL.canParse(link, `http://site.invalid${site.base}`)) {
    return { kind: "broken", reason: "it is no address" };
  }
  const url = new URL(link, `http://site.invalid${site.base}${pagePath.slice(1)}`);
  return inSite(url.pathname + url.search + url.hash, site);
}

function inSite(address: string, { base }: SiteAddress): Target {
  const [beforeHash = "", ...hash] = address.split("#");
  const path = beforeHash.split("?", 1)[0] ?? "";
  if (!path.startsWith(base)) return { kind: "broken", reason: `it is not below ${base}` };
  try {
    const file = decodeURIComponent(path.slice(base.length));
    const fragment = decodeURIComponent(hash.join("#"));
    const isFolder = file === "" || file.endsWith("/");
    return { kind: "inside", file: isFolder ? `${file}index.html` : file, fragment };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return { kind: "broken", reason: "its percent-encoding is broken" };
  }
}

/**
 * Whether an address is of another origin.
 *
 * @param mayAsk origins that pages may send to when a person asks for it
 */
export function isElsewhere(
  address: string,
  { origin }: SiteAddress,
  mayAsk: readonly string[] = [],
): boolean {
  const link = address.replace(/[\t\n\r]/g, "").trim();
  if (!/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(link)) return false;
  if (/^(?:data|blob|about):/i.test(link)) return false;
  const url = URL.parse(link, origin);
  return url === null || (url.origin !== origin && !mayAsk.includes(url.origin));
}
