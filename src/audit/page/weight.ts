/**
 * What a page weighs: its own markup, and the sheets, scripts and typefaces it brings along.
 *
 * The words of quotes do not count. How long they are is the service's to say, and so is how many tags and authors there
 * are: a page that is heavy by those alone is worth a warning, and no reason to keep a site back.
 */
import type { Report } from "../finding.ts";
import type { Tag } from "../html/tags.ts";
import { targetOf, type SiteAddress } from "./links.ts";

/** Most bytes: of markup as it is, of sheets and scripts as a host compresses them (gzip), of typefaces as they are. */
export interface Budget {
  readonly html: number;
  readonly css: number;
  readonly js: number;
  /** Those that the page preloads, and those that its sheets declare. */
  readonly fonts: number;
}

/** Bytes of files of the site, sheets and scripts compressed. */
export interface FileWeights {
  readonly sheet: (file: string) => number;
  /** With what it imports. */
  readonly script: (file: string) => number;
  readonly font: (file: string) => number;
  /** Of the typefaces that a sheet declares. */
  readonly facesOf: (sheet: string) => number;
}

export interface WeightRules extends SiteAddress {
  readonly weights: FileWeights;
}

const HTML = "HTML without the quotes' words";

/** A link to the listing of a tag or an author, below any base path. */
const TERM_LINK = /\/(?:tag|author)\/[^/]/;

export class Weight {
  readonly #html: string;
  readonly #sheets = new Set<string>();
  readonly #scripts = new Set<string>();
  readonly #fonts = new Set<string>();
  /** Where the open elements began that may hold what the service said. */
  readonly #from = new Map<string, number>();
  /** Whether the list item that is open holds no markup but a link to a listing. */
  #isNames = false;
  #words = 0;
  /** Names of tags and authors with their links, and structured data. */
  #names = 0;

  constructor(html: string) {
    this.#html = html;
  }

  take(tag: Tag): void {
    if (!tag.closing) this.#begin(tag);
    else if (tag.name === "blockquote") this.#words += this.#end(tag.name, tag.start);
    else if (tag.name === "script") this.#names += this.#end(tag.name, tag.start);
    else if (tag.name === "a") this.#names += this.#end(tag.name, tag.end);
    else if (tag.name === "li") {
      const bytes = this.#end(tag.name, tag.end);
      if (this.#isNames) this.#names += bytes;
    }
  }

  #begin(tag: Tag): void {
    const { name, start, end } = tag;
    if (name === "blockquote") this.#from.set(name, end);
    else if (name === "li") {
      this.#from.set(name, start);
      this.#isNames = true;
    } else if (name === "a") {
      if (!TERM_LINK.test(tag.get("href") ?? "")) this.#isNames = false;
      else if (!this.#from.has("li")) this.#from.set(name, start);
    } else if (name === "script") {
      this.#add(this.#scripts, tag.get("src"));
      if (tag.get("type") === "application/ld+json") this.#from.set(name, end);
    } else if (name === "link" && /\bstylesheet\b/i.test(tag.get("rel") ?? "")) {
      this.#add(this.#sheets, tag.get("href"));
    } else if (name === "link" && tag.get("as") === "font") {
      this.#add(this.#fonts, tag.get("href"));
    } else if (name !== "span") this.#isNames = false;
  }

  /** Bytes from where an element began; 0 where none is open. */
  #end(name: string, to: number): number {
    const from = this.#from.get(name);
    this.#from.delete(name);
    return from === undefined ? 0 : Buffer.byteLength(this.#html.slice(from, to));
  }

  #add(links: Set<string>, link = ""): void {
    if (link !== "") links.add(link);
  }

  /** @param bytes of the whole page. @param path of the page, which its links are read against */
  check(bytes: number, budget: Budget, path: string, rules: WeightRules, report: Report): void {
    const { weights } = rules;
    const sum = (links: ReadonlySet<string>, weigh: (file: string) => number): number =>
      links
        .values()
        .map((link) => targetOf(link, path, rules))
        .reduce((total, to) => total + (to.kind === "inside" ? weigh(to.file) : 0), 0);
    const reportFault = (what: string, is: number, most: number): void => {
      if (is > most) report("too heavy", `${what}: ${is} bytes, and ${most} are allowed`);
    };
    const html = bytes - this.#words;
    if (html - this.#names > budget.html) reportFault(HTML, html, budget.html);
    else if (html > budget.html) {
      report("heavy with names", `${HTML}: ${html} bytes, mostly tags and authors`);
    }
    reportFault("CSS, compressed", sum(this.#sheets, weights.sheet), budget.css);
    const fonts = sum(this.#fonts, weights.font) + sum(this.#sheets, weights.facesOf);
    reportFault("typefaces", fonts, budget.fonts);
    reportFault("JavaScript, compressed", sum(this.#scripts, weights.script), budget.js);
  }
}
