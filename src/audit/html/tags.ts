/** Reads the tags of an HTML document with htmlparser2's tokenizer. It builds no tree: the audit reads a million pages. */
import { decodeHTMLAttribute } from "entities";
import { Tokenizer } from "htmlparser2";

/** @param list names of elements or attributes, separated by spaces */
export const namesIn = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** A start or end tag. One object is reused for all tags of a document: read it before the visitor returns. */
export class Tag {
  /** In lower case. */
  name = "";
  closing = false;
  selfClosing = false;
  /** Offsets in the document: of the tag's `<`, and after its `>`. */
  start = 0;
  end = 0;
  /** Names of its attributes in lower case, with duplicates. */
  readonly names: string[] = [];
  /** Whether the name of an attribute shows that the value before it lacks its closing quote. */
  isTorn = false;
  readonly #html: string;
  /** Offsets of the value of each attribute; most values are never read. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(html: string) {
    this.#html = html;
  }

  /** The decoded value of an attribute; empty where it has none, undefined where the attribute is absent. */
  get(attribute: string): string | undefined {
    const at = this.names.indexOf(attribute);
    if (at === -1) return undefined;
    const value = this.#html.slice(this.#from[at], this.#to[at]);
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }

  has(attribute: string): boolean {
    return this.names.includes(attribute);
  }

  /** @param from offset of the tag's name; `to` is the offset after it */
  begin(from: number, to: number, closing: boolean): void {
    this.name = this.#html.slice(from, to).toLowerCase();
    this.start = from - (closing ? 2 : 1);
    this.closing = closing;
    this.names.length = 0;
    this.isTorn = false;
  }

  addAttribute(from: number, to: number): void {
    const name = this.#html.slice(from, to).toLowerCase();
    this.names.push(name);
    if (/["'<=]/.test(name)) this.isTorn = true;
    this.setValue(0, 0);
  }

  /** Sets the offsets of the value of the last attribute. */
  setValue(from: number, to: number): void {
    const at = this.names.length - 1;
    this.#from[at] = from;
    this.#to[at] = to;
  }
}

/** Calls a visitor with each start and end tag of a document, in order. An incomplete tag at the end is ignored. */
export function readTags(html: string, visit: (tag: Tag) => void): void {
  const tag = new Tag(html);
  const finish = (end: number, selfClosing: boolean): void => {
    tag.end = end + 1;
    tag.selfClosing = selfClosing;
    visit(tag);
  };
  const ignored = (): void => undefined;
  const tokenizer = new Tokenizer(
    // `Tag.get()` decodes.
    { decodeEntities: false },
    {
      onopentagname: (start, end) => tag.begin(start, end, false),
      onattribname: (start, end) => tag.addAttribute(start, end),
      onattribdata: (start, end) => tag.setValue(start, end),
      onopentagend: (end) => finish(end, false),
      onselfclosingtag: (end) => finish(end, true),
      onclosetag: (start, end) => {
        tag.begin(start, end, true);
        finish(end, false);
      },
      onattribend: ignored,
      onattribentity: ignored,
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onend: ignored,
      onprocessinginstruction: ignored,
      ontext: ignored,
      ontextentity: ignored,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}
