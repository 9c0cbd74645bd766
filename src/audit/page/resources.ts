/**
 * What a page makes a browser ask for by itself: scripts, sheets, pictures, frames, fonts, hints. All of it must come
 * from the site; where a person is led by a link is another matter.
 */
import type { Tag } from "../html/tags.ts";

/** Attributes whose address is fetched without being asked, by element. */
const FETCHED: Readonly<Record<string, readonly string[]>> = {
  script: ["src"],
  img: ["src", "srcset"],
  source: ["src", "srcset"],
  iframe: ["src"],
  frame: ["src"],
  embed: ["src"],
  object: ["data"],
  input: ["src"],
  track: ["src"],
  use: ["href", "xlink:href"],
  image: ["href", "xlink:href"],
  video: ["src", "poster"],
  audio: ["src"],
  a: ["ping"],
  body: ["background"],
  "astro-island": ["component-url", "renderer-url", "before-hydration-url"],
};

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

const IN_STYLE = /(?:\burl\(\s*["']?|@import\s*["'])((?:https?:)?\/\/[^"')\s]+)/gi;

const IN_JSON = /"((?:https?|wss?):\/\/[^"\\]+)"/g;

/** Types of `<script>` whose addresses name things and are not asked for. */
const DESCRIBES = /^application\/ld\+json$/i;

/** Most elements ask for nothing: one list for all of them. */
const NONE: readonly string[] = [];

/** The addresses that one element makes a browser ask for. */
export function fetchedBy(tag: Tag): readonly string[] {
  if (tag.name === "link") {
    return FETCHING_LINK.test(tag.get("rel") ?? "") ? [tag.get("href") ?? ""] : [];
  }
  if (tag.name === "meta") {
    if (tag.get("http-equiv")?.toLowerCase() !== "refresh") return [];
    return [/url\s*=\s*["']?([^"']+)/i.exec(tag.get("content") ?? "")?.[1] ?? ""];
  }
  const attributes = FETCHED[tag.name];
  if (attributes === undefined) return NONE;
  const found: string[] = [];
  for (const attribute of attributes) {
    const value = tag.get(attribute);
    if (value !== undefined) found.push(...(attribute === "srcset" ? candidates(value) : [value]));
  }
  return found;
}

/** The addresses of a `srcset`. */
export function candidates(srcset: string): string[] {
  // A comma inside a `data:` address is no separator, and such an address leads nowhere.
  if (srcset.includes("data:")) return [];
  return srcset.split(",").map((candidate) => candidate.trim().split(/\s/)[0] ?? "");
}

/** @param type of the `<script>`; empty for none */
export function fetchedByScript(code: string, type: string): string[] {
  if (!code.includes("//")) return [];
  if (DESCRIBES.test(type)) return [];
  return matches(code, /json|speculationrules|importmap/i.test(type) ? IN_JSON : IN_CODE);
}

export function fetchedByStyle(css: string): string[] {
  return css.includes("//") ? matches(css, IN_STYLE) : [];
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, address = ""]) => address);
}
