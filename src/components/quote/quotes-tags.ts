/** The elements `<Quotes tag="…" author="…" language="…" limit="…" />` in the HTML of a Markdown file, whose names HTML writes in lower case. */
import { decodeHTML } from "entities";
import type { QuoteFilter } from "../../site/index.ts";

const ELEMENT = /<quotes\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const END = /<\/quotes>/gi;
const ATTRIBUTE = /(tag|author|language|limit)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))/gi;

function filterOf(attributes: string): QuoteFilter {
  return Object.fromEntries(
    [...attributes.matchAll(ATTRIBUTE)].map(([, name = "", ...values]) => [
      name.toLowerCase(),
      decodeHTML(values.find((value) => value !== undefined) ?? ""),
    ]),
  );
}

/** The HTML around the elements, and what each asks for, in order. */
export function partsOf(html: string): (string | QuoteFilter)[] {
  const text = html.replace(END, "");
  const parts: (string | QuoteFilter)[] = [];
  let from = 0;
  for (const { index, 0: element, 1: attributes = "" } of text.matchAll(ELEMENT)) {
    parts.push(text.slice(from, index), filterOf(attributes));
    from = index + element.length;
  }
  return [...parts, text.slice(from)];
}

/** What the elements of a text ask for. */
export const filtersIn = (html: string): QuoteFilter[] =>
  partsOf(html).filter((part) => typeof part !== "string");
