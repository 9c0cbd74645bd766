/** Hostile text in what the site gives to other sites and to search engines: it stays text. */
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { titleOf } from "../../src/site/feed-formats.ts";
import { absolute, oEmbedOf, safeJson } from "../../src/site/index.ts";
import { makeSite } from "../support/site/index.ts";
import { HOSTILE } from "../support/snapshot/index.ts";

const SENT = [...HOSTILE, `" onload="alert(1)`, "' x='", "a & b &amp; c <b>"];

const site = makeSite(
  SENT.map((text, index) => ({ id: index + 1, text, author: text.slice(0, 200) })),
  { quotePages: 0 },
);
const cards = SENT.flatMap((_, index) => site.card(index + 1) ?? []);

test("oEmbedOf() is one frame, whose title is the text as it is", async () => {
  expect(cards).toHaveLength(SENT.length);
  for (const card of cards) {
    const { html } = (await oEmbedOf(String(card.id), card, "large").json()) as { html: string };
    const [quotation, frame, ...others] = parseDocument(html).children;
    expect(others).toEqual([]);
    expect(quotation).toMatchObject({ name: "blockquote" });
    const address = absolute(card.permalink);
    expect(html.match(/<a [^>]*>/g)).toEqual([`<a href="${address}">`]);
    expect(html.match(/<(?!\/?(?:blockquote|p|a|br|iframe)[ >])/g)).toBeNull();
    expect(frame).toMatchObject({ name: "iframe", children: [] });
    const { attribs } = frame as unknown as { attribs: Readonly<Record<string, string>> };
    expect(Object.keys(attribs).sort()).toEqual(
      ["height", "loading", "src", "style", "title", "width"].sort(),
    );
    expect(attribs["title"]).toBe(titleOf(card));
  }
});

test.each([...SENT, "<!--", "</SCRIPT >", "a\u2028b\u2029c"])(
  "safeJson() of %j ends no element and gives the text back",
  (text) => {
    const json = safeJson({ text });
    expect(json).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual({ text });
  },
);
