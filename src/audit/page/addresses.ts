/** Finds the addresses in markup, scripts and style sheets, and whether a browser requests them without a click. */
import { namesIn, type Tag } from "../html/tags.ts";

/** By attribute: elements whose address a browser requests by itself, or that every relative address is resolved against. */
const FETCHED = new Map([
  ["src", namesIn("script img source iframe frame embed input track video audio")],
  ["srcset", namesIn("img source")],
  ["imagesrcset", namesIn("link")],
  ["href", namesIn("base script use image feimage")],
  ["xlink:href", namesIn("script use image feimage")],
  ["data", namesIn("object")],
  ["poster", namesIn("video")],
  ["background", namesIn("body")],
  ["ping", namesIn("a area")],
  ["component-url", namesIn("astro-island")],
  ["renderer-url", namesIn("astro-island")],
  ["before-hydration-url", namesIn("astro-island")],
]);

/** By attribute: elements whose address a reader follows. */
const FOLLOWED = new Map([
  ["href", namesIn("a area")],
  ["xlink:href", namesIn("a")],
  ["action", namesIn("form")],
  ["formaction", namesIn("button")],
]);

/** Relations of `<link>` for which a browser sends a request or connects to a host. */
const FETCHING_LINK =
  /(?:^|\s)(?:stylesheet|preload|modulepreload|prefetch|prerender|preconnect|dns-prefetch|manifest|icon|apple-touch-icon|mask-icon)(?:\s|$)/i;

/** Addresses that a script requests, where they are string literals. */
const IN_CODE = new RegExp(
  [
    String.raw`(?:\b(?:fetch|import|importScripts|sendBeacon|WebSocket|EventSource|Worker)\s*\(\s*`,
    String.raw`|\bopen\s*\(\s*["'][A-Z]+["']\s*,\s*|\b(?:from|import)\s*)`,
    "[\"'`]((?:(?:https?|wss?):)?\\/\\/[^\"'`\\s]+)",
  ].join(""),
  "g",
);

const IN_STYLE =
  /(?:\burl\(\s*["']?|@import\s*["']|\bimage-set\([^)]{0,999}?["'])((?:https?:)?\/\/[^"')\s]+)/gi;

/** A candidate of `srcset`: its address may contain commas, but not end in one (HTML, "srcset attributes"). */
const CANDIDATE = /([^\s,](?:\S*[^\s,])?)(?:,|\s[^,]*|$)/g;

/** The address of `http-equiv="refresh"`; `url=` may be omitted (HTML, "shared declarative refresh steps"). */
const REFRESH = /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?["']?([^\s"'][^"']*)/i;

const IN_JSON = /"((?:https?|wss?):\/\/[^"\\]+)"/g;

/** A type of `<script>` whose addresses are identifiers: no browser requests them. */
const DESCRIBES = /^application\/ld\+json$/i;

type TakeAddress = (address: string, isFetched: boolean) => void;

/** Calls `take` with each address of a start tag, also those of its Open Graph properties. */
export function addressesOf(tag: Tag, take: TakeAddress): void {
  const { name } = tag;
  for (const attribute of tag.names) {
    const isFetched = FETCHED.get(attribute)?.has(name) === true;
    if (isFetched || FOLLOWED.get(attribute)?.has(name) === true)
      takeFrom(tag, attribute, isFetched, take);
  }
  if (name === "link") {
    takeFrom(tag, "href", FETCHING_LINK.test(tag.get("rel") ?? ""), take);
  } else if (name === "meta") {
    if (/^og:(?:image|url)$/.test(tag.get("property") ?? "")) takeFrom(tag, "content", false, take);
    if (tag.get("http-equiv")?.toLowerCase() === "refresh") {
      const [, address] = REFRESH.exec(tag.get("content") ?? "") ?? [];
      if (address !== undefined) take(address, true);
    }
  }
}

function takeFrom(tag: Tag, attribute: string, isFetched: boolean, take: TakeAddress): void {
  const value = tag.get(attribute);
  if (value === undefined) return;
  if (!attribute.endsWith("srcset")) take(value, isFetched);
  else for (const [, address = ""] of value.matchAll(CANDIDATE)) take(address, isFetched);
}

/** @param type attribute of the `<script>`; empty where it has none */
export function fetchedByScript(code: string, type: string): string[] {
  if (!code.includes("//") || DESCRIBES.test(type)) return [];
  return matches(code, /json|speculationrules|importmap/i.test(type) ? IN_JSON : IN_CODE);
}

export function fetchedByStyle(css: string): string[] {
  return css.includes("//") ? matches(css, IN_STYLE) : [];
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, address = ""]) => address);
}
