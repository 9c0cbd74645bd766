/**
 * The addresses that markup, scripts and style sheets name. What a browser asks for by itself must come from the site;
 * where a person is led by a link is another matter.
 */
import type { Tag } from "../html/tags.ts";

/** Attributes whose address a browser asks for by itself, by element. */
const FETCHED: ReadonlyMap<string, readonly string[]> = new Map([
  // Every relative address of the page is read against it.
  ["base", ["href"]],
  ["script", ["src", "href", "xlink:href"]],
  ["img", ["src", "srcset"]],
  ["source", ["src", "srcset"]],
  ["iframe", ["src"]],
  ["frame", ["src"]],
  ["embed", ["src"]],
  ["object", ["data"]],
  ["input", ["src"]],
  ["track", ["src"]],
  ["use", ["href", "xlink:href"]],
  ["image", ["href", "xlink:href"]],
  ["video", ["src", "poster"]],
  ["audio", ["src"]],
  ["feimage", ["href", "xlink:href"]],
  ["link", ["imagesrcset"]],
  ["a", ["ping"]],
  ["area", ["ping"]],
  ["body", ["background"]],
  ["astro-island", ["component-url", "renderer-url", "before-hydration-url"]],
]);

/** The attribute whose address a person follows, by element. */
const FOLLOWED: ReadonlyMap<string, string> = new Map([
  ["a", "href"],
  ["area", "href"],
  ["form", "action"],
  ["button", "formaction"],
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

const IN_JSON = /"((?:https?|wss?):\/\/[^"\\]+)"/g;

/** Types of `<script>` whose addresses name things and are not asked for. */
const DESCRIBES = /^application\/ld\+json$/i;

/** Hears of an address, and whether a browser asks for it by itself. */
export type TakeAddress = (address: string, isFetched: boolean) => void;

/** Goes through the addresses of a start tag, the picture for those who share the page included. */
export function addressesOf(tag: Tag, take: TakeAddress): void {
  const { name } = tag;
  const followed = FOLLOWED.get(name);
  if (followed !== undefined) takeFrom(tag, followed, false, take);
  for (const attribute of FETCHED.get(name) ?? []) takeFrom(tag, attribute, true, take);
  if (name === "link") {
    takeFrom(tag, "href", FETCHING_LINK.test(tag.get("rel") ?? ""), take);
  } else if (name === "meta") {
    if (/^og:(?:image|url)$/.test(tag.get("property") ?? "")) takeFrom(tag, "content", false, take);
    if (tag.get("http-equiv")?.toLowerCase() === "refresh") {
      const [, address] = /url\s*=\s*["']?([^"']+)/i.exec(tag.get("content") ?? "") ?? [];
      if (address !== undefined) take(address, true);
    }
  }
}

function takeFrom(tag: Tag, attribute: string, isFetched: boolean, take: TakeAddress): void {
  const value = tag.get(attribute);
  if (value === undefined) return;
  if (!attribute.endsWith("srcset")) take(value, isFetched);
  // A comma inside a `data:` address is no separator, and such an address leads to no file.
  else if (!value.includes("data:")) {
    for (const candidate of value.split(","))
      take(candidate.trim().split(/\s/)[0] ?? "", isFetched);
  }
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
