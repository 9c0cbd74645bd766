/** What every document must say of itself: that it is HTML, in which language and encoding, and what it is called. */
import { isUtf8 } from "node:buffer";
import type { Report } from "../finding.ts";
import type { Tag } from "./tags.ts";

/** Bytes at the start of a document in which browsers look for its encoding. */
const CHARSET_WITHIN = 1_024;

/** Attributes that name other elements of the page by their ids. */
const REFERENCES: ReadonlySet<string> = new Set(
  "for form list headers popovertarget aria-labelledby aria-describedby aria-details".split(" "),
);

export const isReference = (attribute: string): boolean => REFERENCES.has(attribute);

export class DocumentFacts {
  readonly #html: string;
  readonly #references = new Set<string>();
  readonly #seen: Record<string, number> = {};
  #lang = "";
  #charsetAt = -1;
  #titleFrom = -1;
  #title: string | null = null;
  #altMissing = false;

  constructor(html: string) {
    this.#html = html;
  }

  take(tag: Tag): void {
    const { name } = tag;
    if (tag.closing) {
      if (name === "title" && this.#title === null && this.#titleFrom !== -1) {
        this.#title = this.#html.slice(this.#titleFrom, tag.start).trim();
      }
      return;
    }
    this.#seen[name] = (this.#seen[name] ?? 0) + 1;
    if (name === "html") this.#lang = tag.get("lang") ?? "";
    else if (name === "meta" && tag.get("charset")?.toLowerCase() === "utf-8") {
      this.#charsetAt = tag.end;
    } else if (name === "title" && this.#titleFrom === -1) this.#titleFrom = tag.end;
    else if (name === "img" && !tag.has("alt")) this.#altMissing = true;
  }

  /** Hears of the value of every attribute for which `isReference`. */
  takeReference(ids: string): void {
    for (const id of ids.split(/\s+/)) if (id !== "") this.#references.add(id);
  }

  /** @param ids of the page's elements */
  check(bytes: Uint8Array, ids: ReadonlySet<string>, report: Report): void {
    const reportFault = (fault: string): void => report("invalid HTML", fault);
    if (!/^\uFEFF?<!doctype html>/i.test(this.#html))
      reportFault("it does not begin with <!DOCTYPE html>");
    if (this.#lang === "") reportFault("<html> has no lang");
    if (this.#charsetAt === -1 || this.#charsetAt > CHARSET_WITHIN) {
      reportFault(`no <meta charset="utf-8"> within the first ${CHARSET_WITHIN} bytes`);
    }
    if (this.#title === null || this.#title === "") reportFault("it has no title");
    for (const name of ["html", "head", "body", "main", "h1"]) {
      const count = this.#seen[name] ?? 0;
      if (count !== 1) reportFault(`it has ${count} <${name}>`);
    }
    if (this.#altMissing) reportFault("an <img> has no alt");
    if (!isUtf8(bytes)) reportFault("it is not UTF-8");
    if (this.#html.includes("\0")) reportFault("it holds a NUL");
    for (const id of this.#references) {
      if (!ids.has(id)) reportFault(`an attribute names "${id}", and nothing has that id`);
    }
  }
}
