/**
 * Reads the tags of an HTML document, one at a time, as a browser's tokenizer does: quoted attribute values, comments
 * and raw text (`<script>`, `<style>`, `<title>`, `<textarea>`) are never taken for tags.
 *
 * It is no parser: it knows no tree and mends nothing. The audit asks little of a page and has a million to read.
 */
import { decodeEntities } from "./entities.ts";

const GREATER = 62;
const LESS = 60;
const SLASH = 47;
const BANG = 33;
const QUESTION = 63;
const EQUALS = 61;
const DOUBLE = 34;
const SINGLE = 39;

/** Elements whose content is text up to their own end tag. */
const RAW = new Set(["script", "style", "title", "textarea", "iframe", "xmp", "noembed"]);

/** The last tag read; its fields hold until the next call of `next`. */
export class Tags {
  readonly #html: string;
  #at = 0;
  #names: string[] = [];
  #values: string[] = [];
  #count = 0;

  /** In lower case. */
  name = "";
  closing = false;
  /** Whether it ends in `/>`. */
  selfClosing = false;
  /** Whether an attribute's name holds a quotation mark or `<`: a value was not closed, or not opened. */
  odd = false;
  /** Where the tag starts, and where what follows it does. */
  start = 0;
  end = 0;

  constructor(html: string) {
    this.#html = html;
  }

  /** Goes to the next start or end tag; false at the end of the document. */
  next(): boolean {
    const html = this.#html;
    for (;;) {
      const start = html.indexOf("<", this.#at);
      if (start === -1) return false;
      const code = html.charCodeAt(start + 1);
      if (isLetter(code)) return this.#startTag(start);
      if (code === SLASH && isLetter(html.charCodeAt(start + 2))) return this.#endTag(start);
      this.#at = code === BANG || code === QUESTION ? this.#pastMarkup(start) : start + 1;
    }
  }

  /** The value of an attribute with its entities decoded; empty where it has none, undefined where it is not there. */
  get(attribute: string): string | undefined {
    for (let i = 0; i < this.#count; i++) {
      if (this.#names[i] === attribute) return decodeEntities(this.#values[i] ?? "");
    }
    return undefined;
  }

  /** How many attributes it has, repeated ones included. */
  get size(): number {
    return this.#count;
  }

  nameAt(place: number): string {
    return this.#names[place] ?? "";
  }

  /** With its entities decoded. */
  valueAt(place: number): string {
    return decodeEntities(this.#values[place] ?? "");
  }

  /** An attribute that stands twice; null where none does. */
  repeated(): string | null {
    for (let i = 1; i < this.#count; i++) {
      const name = this.#names[i];
      for (let j = 0; j < i; j++) if (this.#names[j] === name) return name ?? null;
    }
    return null;
  }

  has(attribute: string): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#names[i] === attribute) return true;
    return false;
  }

  #startTag(start: number): boolean {
    const from = start + 1;
    const to = this.#nameEnd(from);
    this.#open(start, from, to, false);
    this.#attributes(to);
    if (RAW.has(this.name)) this.#at = this.#endOfRaw();
    return true;
  }

  #endTag(start: number): boolean {
    const from = start + 2;
    const to = this.#nameEnd(from);
    this.#open(start, from, to, true);
    this.#attributes(to);
    return true;
  }

  #open(start: number, from: number, to: number, closing: boolean): void {
    this.name = this.#html.slice(from, to).toLowerCase();
    this.closing = closing;
    this.start = start;
    this.odd = false;
    this.#count = 0;
  }

  #attributes(from: number): void {
    const html = this.#html;
    let at = from;
    for (;;) {
      while (isBlank(html.charCodeAt(at)) || html.charCodeAt(at) === SLASH) at++;
      const code = html.charCodeAt(at);
      if (code === GREATER || Number.isNaN(code)) break;
      const to = this.#attributeNameEnd(at);
      this.#names[this.#count] = html.slice(at, to).toLowerCase();
      at = to;
      while (isBlank(html.charCodeAt(at))) at++;
      at = html.charCodeAt(at) === EQUALS ? this.#value(at + 1) : this.#noValue(at);
      this.#count++;
    }
    this.selfClosing = at > from && html.charCodeAt(at - 1) === SLASH;
    this.end = this.#at = Math.min(at + 1, html.length);
  }

  #value(from: number): number {
    const html = this.#html;
    let at = from;
    while (isBlank(html.charCodeAt(at))) at++;
    const quote = html.charCodeAt(at);
    if (quote === DOUBLE || quote === SINGLE) {
      const end = html.indexOf(quote === DOUBLE ? '"' : "'", at + 1);
      const to = end === -1 ? html.length : end;
      this.#values[this.#count] = html.slice(at + 1, to);
      return to + 1;
    }
    const start = at;
    for (let code = quote; !isBlank(code) && code !== GREATER && !Number.isNaN(code);) {
      code = html.charCodeAt(++at);
    }
    this.#values[this.#count] = html.slice(start, at);
    return at;
  }

  #noValue(at: number): number {
    this.#values[this.#count] = "";
    return at;
  }

  #nameEnd(from: number): number {
    let at = from;
    for (;;) {
      const code = this.#html.charCodeAt(at);
      if (isBlank(code) || code === SLASH || code === GREATER || Number.isNaN(code)) return at;
      at++;
    }
  }

  /** A stray `=` at the start is part of the name, as the standard has it. */
  #attributeNameEnd(from: number): number {
    let at = from;
    const first = this.#html.charCodeAt(from);
    this.odd ||= first === DOUBLE || first === SINGLE || first === LESS || first === EQUALS;
    for (;;) {
      const code = this.#html.charCodeAt(++at);
      const ends = code === EQUALS || code === SLASH || code === GREATER || isBlank(code);
      if (ends || Number.isNaN(code)) return at;
      if (code === DOUBLE || code === SINGLE || code === LESS) this.odd = true;
    }
  }

  /** Past a comment, a doctype or whatever else starts with `<!` or `<?`. */
  #pastMarkup(start: number): number {
    const comment = this.#html.startsWith("<!--", start);
    const end = comment ? this.#html.indexOf("-->", start + 4) : this.#html.indexOf(">", start);
    if (end === -1) return this.#html.length;
    return end + (comment ? 3 : 1);
  }

  #endOfRaw(): number {
    const end = new RegExp(`</${this.name}(?=[\\s/>])`, "gi");
    end.lastIndex = this.end;
    return end.exec(this.#html)?.index ?? this.#html.length;
  }
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12;
}
