/**
 * The addresses that markup, scripts and style sheets name. What a browser asks for by itself must come from the site;
 * where a person is led by a link is another matter.
 */
import { namesIn, type Tag } from "../html/tags.ts";

/** Elements whose address in an attribute a browser asks for by itself. Every relative address is read against `<base>`. */
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

/** Elements whose address in an attribute a person follows. */
const FOLLOWED = new Map([
  ["href", namesIn("a area")],
  ["xlink:href", namesIn("a")],
  ["action", namesIn("form")],
  ["formaction", namesIn("button")],
]);

/** Relations of `<link>` that make a browser ask at once, or reach out to a host. */
const FETCHING_LINK =
  /(?:^|\s)(?:stylesheet|preload|modulepreload|prefetch|prerender|preconnect|dns-prefetch|manifest|icon|apple-touch-icon|mask-icon)(?:\s|$)/i;

/** Addresses that code asks for, where it has them as a text. */
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

/** A candidate of `srcset`: its address may hold commas, as `data:` does, but not end in one (HTML, "srcset attributes"). */
const CANDIDATE = /([^\s,](?:\S*[^\s,])?)(?:,|\s[^,]*|$)/g;

/** Where `http-equiv="refresh"` leads; `url=` may be left out (HTML, "shared declarative refresh steps"). */
const REFRESH = /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?["']?([^\s"'][^"']*)/i;

const IN_JSON = /"((?:https?|wss?):\/\/[^"\\]+)"/g;

/** Types of `<script>` whose addresses name things and are not asked for. */
const DESCRIBES = /^application\/ld\+json$/i;

/** Hears of an address, and whether a browser asks for it by itself. */
export type TakeAddress = (address: string, isFetched: boolean) => void;

/** Goes through the addresses of a start tag, the picture for those who share the page included. */
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

/** @param type of the `<script>`; empty for none */
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
