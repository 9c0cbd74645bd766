/**
 * What a page weighs: its own markup, and the sheets and scripts it brings along.
 *
 * The words of quotes do not count. How long they are is the service's to say, and no reason to keep a site back.
 */
import type { Report } from "../finding.ts";
import type { Tag } from "../html/tags.ts";
import { targetOf, type SiteAddress } from "./links.ts";

/** Most bytes: of markup as it is, of sheets and scripts as a host compresses them (gzip). */
export interface Budget {
  readonly html: number;
  readonly css: number;
  readonly js: number;
}

/** Compressed bytes of files of the site, with what a script imports. */
export interface FileWeights {
  readonly sheet: (file: string) => number;
  readonly script: (file: string) => number;
}

export class Weight {
  readonly #html: string;
  readonly #sheets = new Set<string>();
  readonly #scripts = new Set<string>();
  #quoteFrom = -1;
  #quoted = 0;

  constructor(html: string) {
    this.#html = html;
  }

  take(tag: Tag): void {
    if (tag.name === "blockquote") {
      if (!tag.closing) this.#quoteFrom = tag.end;
      else if (this.#quoteFrom !== -1) {
        this.#quoted += Buffer.byteLength(this.#html.slice(this.#quoteFrom, tag.start));
        this.#quoteFrom = -1;
      }
    } else if (tag.closing) return;
    else if (tag.name === "script") this.#add(this.#scripts, tag.get("src"));
    else if (tag.name === "link" && /\bstylesheet\b/i.test(tag.get("rel") ?? "")) {
      this.#add(this.#sheets, tag.get("href"));
    }
  }

  /** @param bytes of the whole page */
  check(
    bytes: number,
    budget: Budget,
    path: string,
    site: SiteAddress,
    weights: FileWeights,
    report: Report,
  ): void {
    const sum = (links: ReadonlySet<string>, weigh: (file: string) => number): number => {
      let total = 0;
      for (const link of links) {
        const target = targetOf(link, path, site);
        if (target.kind === "inside") total += weigh(target.file);
      }
      return total;
    };
    const tell = (what: string, is: number, most: number): void => {
      if (is > most) report("too heavy", `${what}: ${is} bytes, and ${most} are allowed`);
    };
    tell("HTML without the quotes' words", bytes - this.#quoted, budget.html);
    tell("CSS, compressed", sum(this.#sheets, weights.sheet), budget.css);
    tell("JavaScript, compressed", sum(this.#scripts, weights.script), budget.js);
  }

  #add(links: Set<string>, link: string | undefined): void {
    if (link !== undefined && link !== "") links.add(link);
  }
}
