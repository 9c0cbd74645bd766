/**
 * The tags of an HTML document, read with htmlparser2's tokenizer: attribute values, comments and raw text (`<script>`,
 * `<style>`, `<title>`, `<textarea>`) are never taken for tags. No tree is built: the audit reads a million pages.
 */
import { decodeHTMLAttribute } from "entities";
import { Tokenizer } from "htmlparser2";

/** Names of elements or attributes, from a list with blanks between them. */
export const namesIn = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** A start or end tag. One object serves a whole document: its fields hold until the visitor returns. */
export class Tag {
  /** In lower case. */
  name = "";
  closing = false;
  /** Whether it ends in `/>`. */
  selfClosing = false;
  /** Offsets in the document: where the tag begins, and where its content does. */
  start = 0;
  end = 0;
  /** The names of its attributes in lower case, repeated ones included. */
  readonly names: string[] = [];
  /** Whether a name shows that a value before it was not closed. */
  isTorn = false;
  readonly #html: string;
  /** Offsets of the values, as many as there are names: few of them are asked for. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(html: string) {
    this.#html = html;
  }

  /** The value of an attribute, decoded; empty where it has none, undefined where the attribute is absent. */
  get(attribute: string): string | undefined {
    const at = this.names.indexOf(attribute);
    if (at === -1) return undefined;
    const value = this.#html.slice(this.#from[at], this.#to[at]);
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }

  has(attribute: string): boolean {
    return this.names.includes(attribute);
  }

  /** @param from offset of its name, and `to` behind it */
  begin(from: number, to: number, closing: boolean): void {
    this.name = nameOf(this.#html.slice(from, to)).name;
    this.start = from - (closing ? 2 : 1);
    this.closing = closing;
    if (this.names.length === 0) return;
    this.names.length = 0;
    this.isTorn = false;
  }

  addAttribute(from: number, to: number): void {
    const { name, isTorn } = nameOf(this.#html.slice(from, to));
    this.names.push(name);
    if (isTorn) this.isTorn = true;
    this.setValue(0, 0);
  }

  /** The offsets of the value of the attribute added last. */
  setValue(from: number, to: number): void {
    const at = this.names.length - 1;
    this.#from[at] = from;
    this.#to[at] = to;
  }
}

interface Name {
  /** In lower case, and internalized as a key of an object is: the rules compare each name some ten times. */
  readonly name: string;
  readonly isTorn: boolean;
}

/** By how markup writes them. A document repeats some fifty names thousands of times. */
const NAMES = new Map<string, Name>();
const MOST_NAMES = 1_000;

function nameOf(written: string): Name {
  const known = NAMES.get(written);
  if (known !== undefined) return known;
  const [name = ""] = Object.keys({ [written.toLowerCase()]: true });
  const read = { name, isTorn: /["'<=]/.test(name) };
  if (NAMES.size < MOST_NAMES) NAMES.set(written, read);
  return read;
}

/** Calls a visitor with each start and end tag of a document, in order. A tag cut off at the end is none. */
export function readTags(html: string, visit: (tag: Tag) => void): void {
  const tag = new Tag(html);
  const finish = (end: number, selfClosing: boolean): void => {
    tag.end = end + 1;
    tag.selfClosing = selfClosing;
    visit(tag);
  };
  const ignored = (): void => undefined;
  const tokenizer = new Tokenizer(
    // Values are decoded when they are asked for.
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
