/**
 * The tags of an HTML document, read with htmlparser2's tokenizer: attribute values, comments and raw text (`<script>`,
 * `<style>`, `<title>`, `<textarea>`) are never taken for tags. No tree is built: the audit reads a million pages.
 */
import { decodeHTMLAttribute } from "entities";
import { Tokenizer } from "htmlparser2";

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
  readonly #names: string[] = [];
  readonly #values: string[] = [];

  /** The names of its attributes in lower case, repeated ones included. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** The value of an attribute, decoded; empty where it has none, undefined where the attribute is absent. */
  get(attribute: string): string | undefined {
    const value = this.#values[this.#names.indexOf(attribute)];
    return value?.includes("&") === true ? decodeHTMLAttribute(value) : value;
  }

  has(attribute: string): boolean {
    return this.#names.includes(attribute);
  }

  begin(name: string, start: number, closing: boolean): void {
    this.name = name.toLowerCase();
    this.start = start;
    this.closing = closing;
    this.selfClosing = false;
    this.#names.length = this.#values.length = 0;
  }

  addAttribute(name: string): void {
    this.#names.push(name.toLowerCase());
    this.#values.push("");
  }

  /** @param value as written, of the attribute added last */
  setValue(value: string): void {
    this.#values[this.#values.length - 1] = value;
  }
}

/** Calls a visitor with each start and end tag of a document, in order. A tag cut off at the end is none. */
export function readTags(html: string, visit: (tag: Tag) => void): void {
  const tag = new Tag();
  const finish = (end: number, selfClosing: boolean): void => {
    tag.end = end + 1;
    tag.selfClosing = selfClosing;
    visit(tag);
  };
  const ignored = (): void => undefined;
  const tokenizer = new Tokenizer(
    // Values are decoded when they are asked for: few of them are.
    { decodeEntities: false },
    {
      onopentagname: (start, end) => tag.begin(html.slice(start, end), start - 1, false),
      onattribname: (start, end) => tag.addAttribute(html.slice(start, end)),
      onattribdata: (start, end) => tag.setValue(html.slice(start, end)),
      onopentagend: (end) => finish(end, false),
      onselfclosingtag: (end) => finish(end, true),
      onclosetag: (start, end) => {
        tag.begin(html.slice(start, end), start - 2, true);
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
