/** Collects the facts of a page in one pass over its tags. `audit-page.ts` applies the rules. */
import { readStructure } from "../html/structure.ts";
import { namesIn, readTags, type Tag } from "../html/tags.ts";
import type { Inline } from "./policy.ts";
import { addressesOf, fetchedByScript, fetchedByStyle } from "./addresses.ts";

/** Elements that a document must have exactly once. */
const ONCE = ["html", "head", "body", "main", "h1"];

/** Values of `<meta name>` that address search engines, and directives that exclude a page. */
const LISTENERS = /^(?:robots|googlebot|bingbot)$/i;
const NO_INDEX = /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i;

/** An attribute whose value is code. */
const HANDLER = /^on[a-z]/;

/** Elements that a head may contain; any other, and text, ends it for browsers (HTML, "the in head insertion mode"). */
const IN_HEAD = namesIn(
  "head base basefont bgsound link meta noscript script style template title",
);

/** By element: attributes with an address that a directive of the policy must let in. */
const ASKED_BY: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  script: [["src", "script-src-elem"]],
  img: [["src", "img-src"]],
  iframe: [["src", "frame-src"]],
  form: [["action", "form-action"]],
  button: [["formaction", "form-action"]],
  input: [["formaction", "form-action"]],
};

const HIDES = /\bdisplay\s*:\s*none|\bvisibility\s*:\s*hidden/i;

/** Attributes whose value is a list of ids. */
const NAMES_IDS = namesIn(
  "for form list headers popovertarget aria-labelledby aria-describedby aria-details",
);

/** Elements that have a footer of their own (HTML, "the footer element"), and elements whose content is not shown. */
const NOT_THE_PAGE = namesIn(
  "article aside nav section blockquote details dialog fieldset figure template noscript",
);

const ELSEWHERE = /^(?:https?|mailto):/i;
/** Words of another script than Latin have three signs for each byte in an address. */
const ESCAPED = /(?:%[0-9A-F]{2})+/gi;

/** A link to the listing of a tag or an author, below any base path. */
const TERM_LINK = /\/(?:tag|author)\/[^/]/;

export function readPage(html: string) {
  const facts = {
    fault: null as string | null,
    counts: new Map(ONCE.map((name) => [name, 0])),
    lang: "",
    /** Offset after `<meta charset="utf-8">`. */
    charsetAt: Infinity,
    title: null as string | null,
    description: "",
    altMissing: false,
    /** The directive that hides the page from search engines; empty for none. */
    robots: "",
    canonical: "",
    /** Content-Security-Policies in the head, in order. */
    policies: [] as string[],
    inline: [] as Inline[],
    /** Attributes such as `onclick`, each with its element. */
    handlers: new Set<string>(),
    ids: new Set<string>(),
    repeatedIds: [] as string[],
    /** Values of the attributes `NAMES_IDS`. */
    namedIds: new Set<string>(),
    links: new Set<string>(),
    /** Addresses that a browser requests by itself. */
    fetched: new Set<string>(),
    sheets: new Set<string>(),
    scripts: new Set<string>(),
    fonts: new Set<string>(),
    /** Directives of the policy, each with a blank and an address that it must let in. */
    asked: new Set<string>(),
    /** Bytes of the words of quotes, also of those in the addresses that share one. */
    words: 0,
    /** Bytes of tag and author links, and of structured data. */
    names: 0,
    attributions: [] as {
      href: string;
      isInFooter: boolean;
      isHidden: boolean;
      isEmpty: boolean;
    }[],
    /** Attributes of each `<article class="quote">`, in order. */
    quotes: [] as { id: string; pk: string | undefined; lang: string; dir: string }[],
  };
  const { open, take, fault } = readStructure();
  /** Depth of the outermost open element that is hidden; Infinity for none. */
  let hiddenFrom = Infinity;
  /** Offset of the text of an open attribution; -1 for none. */
  let attributionFrom = -1;
  let titleFrom = -1;
  /** Number of open templates: their content is no part of the document. */
  let templates = 0;
  /** Ids in templates, and names of links: fragments may lead to them, and they may be repeated. */
  const otherIds = new Set<string>();
  /** The open `<script>` or `<style>`: its content is complete at the end tag. */
  let raw: (Omit<Inline, "content"> & { from: number; isInline: boolean }) | null = null;
  /** Offsets of open elements that may contain text of the service. */
  const saidFrom = new Map<string, number>();
  /** Where the last tag in the head ended; null once something else ended the head. */
  let headTo: number | null = null;
  /** Whether the open list item contains no markup but a link to a listing. */
  let isNames = false;

  readTags(html, (tag) => {
    followHead(tag);
    take(tag);
    if (tag.closing) takeEnd(tag);
    else takeStart(tag);
  });
  facts.fault = fault();
  for (const id of otherIds) facts.ids.add(id);
  return facts;

  /** Text belongs into a head within a title, script, style, template or noscript alone. */
  function followHead({ name, start, end, closing }: Tag): void {
    if (name === "head") headTo = closing ? null : end;
    if (headTo === null || name === "head") return;
    const isInside = open.at(-1) !== "head";
    const isText = !isInside && /[^\t\n\f\r ]/.test(withoutComments(html.slice(headTo, start)));
    headTo = isText || (!isInside && !IN_HEAD.has(name)) ? null : end;
  }

  function takeStart(tag: Tag): void {
    const { name, start, end } = tag;
    const count = facts.counts.get(name);
    if (count !== undefined && templates === 0) facts.counts.set(name, count + 1);
    const isHidden = takeAttributes(tag);
    if (name === "template") templates++;
    // `open` never contains a void element.
    if (open.length <= hiddenFrom && open.at(-1) === name)
      hiddenFrom = isHidden ? open.length : Infinity;
    addressesOf(tag, takeAddress);
    for (const [attribute, directive] of ASKED_BY[name] ?? []) {
      const address = tag.get(attribute)?.trim() ?? "";
      if (address !== "") facts.asked.add(`${directive} ${address}`);
    }
    if (name === "a") takeLink(tag);
    else if (name === "li") {
      saidFrom.set(name, start);
      isNames = true;
    } else if (name === "blockquote") saidFrom.set(name, end);
    else if (name === "script") {
      const type = tag.get("type") ?? "";
      // In SVG a script has an `href`.
      const isFile = ["src", "href", "xlink:href"].some((attribute) => tag.has(attribute));
      raw = { name, type, from: end, isInline: templates === 0 && !isFile };
      if (type === "application/ld+json") saidFrom.set(name, end);
      addAddress(facts.scripts, tag.get("src"));
    } else if (name !== "span") {
      isNames = false;
      if (name === "article") takeArticle(tag);
      else if (name === "meta") takeMeta(tag);
      else if (name === "link") takeRelation(tag);
      else if (name === "style") raw = { name, type: "", from: end, isInline: templates === 0 };
      else if (name === "html") facts.lang = tag.get("lang") ?? "";
      else if (name === "title" && titleFrom === -1) titleFrom = end;
      else if (name === "img" && !tag.has("alt")) facts.altMissing = true;
    }
  }

  function takeEnd({ name, start, end }: Tag): void {
    if (name === "a") {
      facts.names += bytesSince(name, end);
      const attribution = facts.attributions.at(-1);
      if (attributionFrom === -1 || attribution === undefined) return;
      const words = html.slice(attributionFrom, start).replace(/<[^>]*>/g, "");
      attribution.isEmpty = words.trim() === "";
      attributionFrom = -1;
    } else if (name === "template") templates--;
    else if (name === "li") {
      const bytes = bytesSince(name, end);
      if (isNames) facts.names += bytes;
    } else if (name === "blockquote") facts.words += bytesSince(name, start);
    else if (name === "title" && titleFrom !== -1)
      facts.title ??= html.slice(titleFrom, start).trim();
    else if (raw?.name === name) {
      facts.names += bytesSince(name, start);
      const content = html.slice(raw.from, start);
      const { type, isInline } = raw;
      if (isInline) facts.inline.push({ name: raw.name, type, content });
      fetchAll(name === "style" ? fetchedByStyle(content) : fetchedByScript(content, type));
      raw = null;
    }
  }

  function takeAddress(address: string, isFetched: boolean): void {
    facts.links.add(address);
    if (isFetched) facts.fetched.add(address);
  }

  /** @returns whether the attributes hide the element */
  function takeAttributes(tag: Tag): boolean {
    let isHidden = false;
    for (const name of tag.names) {
      if (name === "id") {
        const id = tag.get(name) ?? "";
        if (templates > 0) otherIds.add(id);
        else if (facts.ids.has(id)) facts.repeatedIds.push(id);
        else facts.ids.add(id);
      } else if (HANDLER.test(name)) facts.handlers.add(`<${tag.name} ${name}>`);
      else if (name === "hidden" || name === "inert") isHidden = true;
      else if (name === "name" && tag.name === "a") otherIds.add(tag.get(name) ?? "");
      else if (NAMES_IDS.has(name)) facts.namedIds.add(tag.get(name) ?? "");
      else if (name === "style") {
        const style = tag.get(name) ?? "";
        isHidden ||= HIDES.test(style);
        fetchAll(fetchedByStyle(style));
      }
    }
    return isHidden;
  }

  function takeLink(tag: Tag): void {
    const href = tag.get("href") ?? "";
    if (!TERM_LINK.test(href)) isNames = false;
    else if (!saidFrom.has("li")) saidFrom.set("a", tag.start);
    if (ELSEWHERE.test(href)) facts.words += (href.match(ESCAPED) ?? []).join("").length;
    if (!tag.has("data-attribution")) return;
    const isInFooter = open.includes("footer") && !open.some((name) => NOT_THE_PAGE.has(name));
    const isHidden = hiddenFrom !== Infinity;
    facts.attributions.push({ href, isInFooter, isHidden, isEmpty: false });
    attributionFrom = tag.end;
  }

  function takeArticle(tag: Tag): void {
    if (!(tag.get("class") ?? "").split(/\s+/).includes("quote")) return;
    const [id = "", lang = "", dir = ""] = ["id", "lang", "dir"].map((name) => tag.get(name));
    facts.quotes.push({ id, pk: tag.get("data-pk"), lang, dir });
  }

  function takeMeta(tag: Tag): void {
    if (tag.get("charset")?.toLowerCase() === "utf-8") facts.charsetAt = tag.end;
    const content = tag.get("content") ?? "";
    // Elsewhere in the document it has no effect (HTML, "pragma directives").
    const isPolicy = tag.get("http-equiv")?.trim().toLowerCase() === "content-security-policy";
    if (isPolicy && content.trim() !== "" && headTo !== null && open.at(-1) === "head")
      facts.policies.push(content);
    if (/^description$/i.test(tag.get("name") ?? "")) facts.description = content.trim();
    if (LISTENERS.test(tag.get("name") ?? "") && NO_INDEX.test(content)) facts.robots = content;
  }

  function takeRelation(tag: Tag): void {
    const rel = tag.get("rel") ?? "";
    const href = tag.get("href");
    if (rel.toLowerCase() === "canonical") facts.canonical = href ?? "";
    if (/\bstylesheet\b/i.test(rel)) {
      addAddress(facts.sheets, href);
      if (href !== undefined) facts.asked.add(`style-src-elem ${href.trim()}`);
    } else if (tag.get("as") === "font") addAddress(facts.fonts, href);
  }

  function fetchAll(addresses: readonly string[]): void {
    for (const address of addresses) facts.fetched.add(address);
  }

  /** Bytes since the offset in `saidFrom`, which is forgotten; 0 where there is none. */
  function bytesSince(name: string, to: number): number {
    const from = saidFrom.get(name);
    saidFrom.delete(name);
    return from === undefined ? 0 : Buffer.byteLength(html.slice(from, to));
  }
}

function addAddress(addresses: Set<string>, address = ""): void {
  if (address !== "") addresses.add(address);
}

/**
 * The ids that no element of a page has. It looks for attributes as Astro writes them first, since reading the tags of every
 * page again takes most of the time. Escaped text cannot contain such an attribute.
 */
export function missingIds(html: string, ids: Iterable<string>): Set<string> {
  const missing = new Set(ids);
  for (const [, id = ""] of html.matchAll(/ id="([^"]*)"/g)) missing.delete(id);
  if (missing.size === 0) return missing;
  readTags(html, (tag) => {
    missing.delete(tag.get("id") ?? "");
    if (tag.name === "a") missing.delete(tag.get("name") ?? "");
  });
  return missing;
}

const withoutComments = (markup: string): string => markup.replace(/<!--.*?-->|<![^>]*>/gs, "");
