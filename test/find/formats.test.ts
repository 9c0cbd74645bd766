/** What is put on the clipboard: marks, lines, direction, and text that would be markup. */
import { expect, test } from "vitest";
import { asHtml, asMarkdown, asText, type ShownQuote } from "../../src/islands/share.ts";

const quote = (more: Partial<ShownQuote>): ShownQuote => ({
  pk: 1,
  quote: "Be kind.",
  author: "A. Writer",
  lang: "en",
  dir: "ltr",
  path: "/quote/1/",
  link: "https://quotes.example/quote/1/",
  ...more,
});

test.each([
  ["English marks", quote({}), "“Be kind.”\n— A. Writer"],
  ["German marks", quote({ lang: "de" }), "„Be kind.“\n— A. Writer"],
  ["French marks", quote({ lang: "fr-CA" }), "«\u00a0Be kind.\u00a0»\n— A. Writer"],
  ["none where the text has its own", quote({ quote: "«Да.»", lang: "ru" }), "«Да.»\n— A. Writer"],
  ["each line of a verse", quote({ quote: "one\ntwo" }), "“one\ntwo”\n— A. Writer"],
  [
    "every line set from the right",
    quote({ quote: "כן\nABC", lang: "he", dir: "rtl", author: "Z" }),
    "\u200F”כן\n\u200FABC”\n\u200F— Z",
  ],
])("asText() %s", (_, given, expected) => expect(asText(given)).toBe(expected));

test("asMarkdown() keeps lines and escapes what would be markup", () => {
  const text = asMarkdown(quote({ quote: "*a* [b](c) `d` <e>\n# f\n1. g", author: "X_Y" }));
  expect(text).toBe(
    "> “\\*a\\* \\[b\\](c) \\`d\\` \\<e\\>\\\n> \\# f\\\n> 1\\. g”\n>\n> — [X\\_Y](<https://quotes.example/quote/1/>)\n",
  );
});

test("asHtml() is one quotation with its source, and nothing of the text is markup", () => {
  const html = asHtml(quote({ quote: '<img src=x onerror="a">\n&', author: "<b>", lang: 'x" y' }));
  expect(html).toBe(
    '<blockquote cite="https://quotes.example/quote/1/" lang="x&quot; y" dir="ltr"><p>“&lt;img src=x onerror=&quot;a&quot;&gt;<br>&amp;”</p>' +
      '<footer>— <cite><a href="https://quotes.example/quote/1/">&lt;b&gt;</a></cite></footer></blockquote>',
  );
});
