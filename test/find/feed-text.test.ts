/** Hostile text in feeds: whatever a service sent comes out of each format as it went into the snapshot. */
import { expect, test } from "vitest";
import { plainLine, cleanText, plainText } from "../../src/util/text.ts";
import { childrenOf, childText, type Element } from "../../src/audit/files/xml.ts";
import {
  atomOf,
  calendarOf,
  type Feed,
  jsonFeedOf,
  type Pick,
  rssOf,
} from "../../src/site/index.ts";
import { makeSite } from "../support/site/index.ts";
import { HOSTILE } from "../support/snapshot/index.ts";
import { rootOf } from "../support/xml.ts";

const SENT = [
  ...HOSTILE,
  "the end of ]]> a section, and <![CDATA[ of another",
  "a bell \u0007, a NUL \u0000, an escape \u001B[31m, \u0085 and \uFFFE\uFFFF that XML does not have",
  "half a pair: \uD83D and the other: \uDE00",
  "entities &amp; &lt;b&gt; &#0; &bomb; and a <!DOCTYPE html>",
  "two\r\nlines\u2028and a third",
  "1e5",
  "0012",
  "true",
  ":0",
];

const drafts = SENT.map((sent, index) => {
  const name = plainLine(sent);
  return { id: index + 1, text: cleanText(sent), author: name, tags: [name] };
});
const site = makeSite(drafts, { quotePages: 0 });
const picks = drafts.flatMap(({ id }): Pick[] => {
  const card = site.card(id);
  return card === undefined ? [] : [{ date: `2026-11-${String(id).padStart(2, "0")}`, card }];
});

const feed: Feed = {
  title: SENT.map(plainLine).join(" "),
  description: SENT.map(plainLine).join(" "),
  language: "en",
  page: "/today/",
  folder: "/",
  picks,
};

const named = (element: Element | undefined, name: string): Element[] =>
  element === undefined ? [] : childrenOf(element, name);

test("RSS stays well-formed and gives every text back", async () => {
  const [channel] = named(rootOf(await rssOf(feed).text()), "channel");
  expect(channel && childText(channel, "title")).toBe(feed.title);
  const items = named(channel, "item");
  expect(items).toHaveLength(SENT.length);
  for (const [index, item] of items.entries()) {
    const { text = "", author } = drafts[index] ?? {};
    expect(childText(item, "description")).toBe(`${plainText(text)} — ${author}`);
    expect(childText(item, "dc:creator")).toBe(author);
    expect(childText(item, "category")).toBe(author);
    expect(childText(item, "content:encoded")).not.toMatch(/<(?:img|script|!)/);
  }
});

test("Atom stays well-formed and gives every text back", async () => {
  const root = rootOf(await atomOf(feed).text());
  expect(childText(root, "title")).toBe(feed.title);
  const entries = named(root, "entry");
  expect(entries).toHaveLength(SENT.length);
  for (const [index, entry] of entries.entries()) {
    const { author } = drafts[index] ?? {};
    const [by] = named(entry, "author");
    expect(by && childText(by, "name")).toBe(author);
    expect(named(entry, "category")[0]?.attribs["term"]).toBe(author);
    expect(childText(entry, "content")).not.toMatch(/<(?:img|script|!)/);
  }
});

test("JSON Feed gives every text back, and no half of a pair", async () => {
  const body = await jsonFeedOf(feed).text();
  expect(body.isWellFormed()).toBe(true);
  const { items } = JSON.parse(body) as {
    items: { content_text: string; authors: { name: string }[]; tags: string[] }[];
  };
  expect(items.map(({ content_text }) => content_text)).toEqual(SENT.map(plainText));
  expect(items.map(({ authors }) => authors[0]?.name)).toEqual(SENT.map(plainLine));
});

test("nothing in a feed but the isolated quote turns the words after it round", async () => {
  const [channel] = named(rootOf(await rssOf(feed).text()), "channel");
  const { items } = (await jsonFeedOf(feed).json()) as { items: Record<string, unknown>[] };
  const plain = [
    ...named(channel, "item").flatMap((item) =>
      ["title", "description", "dc:creator", "category"].map((name) => childText(item, name)),
    ),
    ...items.map((item) => JSON.stringify({ ...item, content_html: "" })),
  ];
  expect(plain.join("\n")).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/);
  expect(plain.join("\n")).toContain("Desrever eht lla si siht");
});

test("an item keeps its id when its quote moves to another page, in every format", async () => {
  const idsOf = async (of: Feed) => {
    const [channel] = named(rootOf(await rssOf(of).text()), "channel");
    const guids = named(channel, "item").map((item) => childText(item, "guid"));
    const { items } = (await jsonFeedOf(of).json()) as { items: { id: string }[] };
    expect(guids).toEqual(items.map(({ id }) => id));
    const entries = named(rootOf(await atomOf(of).text()), "entry");
    expect(entries.map((entry) => childText(entry, "id"))).toEqual(guids);
    return guids;
  };
  const moved = picks.map((pick) => ({
    ...pick,
    card: { ...pick.card, permalink: `/quote/${pick.card.quote.id}/` },
  }));
  const ids = await idsOf(feed);
  expect(await idsOf({ ...feed, picks: moved })).toEqual(ids);
  expect(new Set(ids).size).toBe(SENT.length);
});

test("the calendar gives every text back, in lines of 75 bytes at most", async () => {
  const file = await calendarOf(picks).text();
  const lines = file.split("\r\n");
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  const values = [
    ...file.replaceAll("\r\n ", "").matchAll(/^(?:X-WR-CALNAME|SUMMARY|DESCRIPTION):(.*)\r$/gm),
  ].map(([, value]) => value);
  expect(values).toHaveLength(1 + 2 * SENT.length);
  // RFC 5545, section 3.3.11: a text has these signs with a backslash alone.
  for (const value of values) expect(value).toMatch(/^(?:[^\\;,]|\\[\\;,n])*$/);
  const texts = [...file.replaceAll("\r\n ", "").matchAll(/^DESCRIPTION:(.*)\r$/gm)].map(
    ([, text = ""]) => text.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign)),
  );
  expect(texts).toHaveLength(SENT.length);
  for (const [index, text] of texts.entries()) {
    expect(text.startsWith(`${plainText(SENT[index] ?? "")}\n— `)).toBe(true);
  }
});
