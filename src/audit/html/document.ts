/**
 * What every document must say of itself: that it is HTML, in which language and encoding, what it is called, and that
 * search engines may keep it. A `noindex` that slipped into a layout empties them within weeks.
 */
import { isUtf8 } from "node:buffer";
import type { Report } from "../finding.ts";
import { isElsewhere, type SiteAddress } from "../page/links.ts";
import type { Tag } from "./tags.ts";

/** Bytes at the start of a document in which browsers look for its encoding. */
const CHARSET_WITHIN = 1_024;

/** Elements that a document has once. */
const ONCE = ["html", "head", "body", "main", "h1"];

/** Names that search engines listen to in `<meta name>`. */
const LISTENERS = /^(?:robots|googlebot|bingbot)$/i;
const HIDES = /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i;

export class DocumentFacts {
  readonly #html: string;
  readonly #counts = new Map(ONCE.map((name) => [name, 0]));
  #lang = "";
  #charsetAt = Infinity;
  #titleFrom = -1;
  #title: string | null = null;
  #altMissing = false;
  #robots = "";
  #canonical = "";

  constructor(html: string) {
    this.#html = html;
  }

  take(tag: Tag): void {
    const { name } = tag;
    const count = this.#counts.get(name);
    if (count !== undefined) this.#counts.set(name, count + 1);
    if (name === "html") this.#lang = tag.get("lang") ?? "";
    else if (name === "meta") this.#takeMeta(tag);
    else if (name === "title" && this.#titleFrom === -1) this.#titleFrom = tag.end;
    else if (name === "img" && !tag.has("alt")) this.#altMissing = true;
    else if (name === "link" && tag.get("rel")?.toLowerCase() === "canonical")
      this.#canonical = tag.get("href") ?? "";
  }

  #takeMeta(tag: Tag): void {
    if (tag.get("charset")?.toLowerCase() === "utf-8") this.#charsetAt = tag.end;
    const content = tag.get("content") ?? "";
    if (LISTENERS.test(tag.get("name") ?? "") && HIDES.test(content)) this.#robots = content;
  }

  /** @param end offset of `</title>` */
  endTitle(end: number): void {
    if (this.#titleFrom !== -1) this.#title ??= this.#html.slice(this.#titleFrom, end).trim();
  }

  /** @param unlisted whether the page is meant to stay out of search engines */
  check(bytes: Uint8Array, unlisted: boolean, site: SiteAddress, report: Report): void {
    const reportFault = (fault: string): void => report("invalid HTML", fault);
    if (!/^\uFEFF?<!doctype html>/i.test(this.#html))
      reportFault("it does not begin with <!DOCTYPE html>");
    if (this.#lang === "") reportFault("<html> has no lang");
    if (this.#charsetAt > CHARSET_WITHIN)
      reportFault(`no <meta charset="utf-8"> within the first ${CHARSET_WITHIN} bytes`);
    if ((this.#title ?? "") === "") reportFault("it has no title");
    for (const [name, count] of this.#counts) {
      if (count !== 1) reportFault(`it has ${count} <${name}>`);
    }
    if (this.#altMissing) reportFault("an <img> has no alt");
    if (!isUtf8(bytes)) reportFault("it is not UTF-8");
    if (this.#html.includes("\0")) reportFault("it holds a NUL");
    if (unlisted) return;
    if (this.#robots !== "")
      report("hidden from search", `its robots directive is "${this.#robots}"`);
    if (isElsewhere(this.#canonical, site))
      report("hidden from search", `its canonical address is elsewhere: ${this.#canonical}`);
  }
}
