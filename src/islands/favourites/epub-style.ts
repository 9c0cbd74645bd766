/** The style sheet of the book: each language with its leading and its quotation marks, by the tables of the site. */
import { quotationMarks } from "../../contract/quotation-marks.ts";
import { scriptSetting } from "../../contract/scripts.ts";

const PLAIN = `h1 { font-size: 1.3em; }
section { margin: 0 0 2em; page-break-inside: avoid; }
blockquote { margin: 0; font-size: 1.1em; white-space: pre-line; }
blockquote p::before { content: open-quote; }
blockquote p::after { content: close-quote; }
blockquote .marked::before, blockquote .marked::after { content: none; }
p { margin: 0.4em 0 0; }
.note { margin-inline-start: 1.5em; font-style: italic; white-space: pre-line; }
`;

const BREAKS = { strict: " line-break: strict;", words: " word-break: keep-all;" };

/** @param tags languages of the quotes (BCP 47), without one that CSS would have to escape */
export function bookStyle(tags: Iterable<string>): string {
  const rules = Array.from(tags)
    .filter(Boolean)
    .map((tag) => {
      const { leading, breaks } = scriptSetting(tag);
      const [open, close] = quotationMarks(tag);
      const quote = `line-height: ${leading[1]}; quotes: "${open}" "${close}";`;
      return (
        `section:lang(${tag}) { line-height: ${leading[0]};${breaks === undefined ? "" : BREAKS[breaks]} }\n` +
        `section:lang(${tag}) blockquote { ${quote} }\n`
      );
    });
  return PLAIN + rules.join("");
}
