/** Feeds, one fault at a time. */
import { expect, test } from "vitest";
import { atom, OTHER_FILES, item, jsonFeed, ORIGIN, rss } from "../other-files.ts";
import { faultsOf, verdictOn } from "./one-file.ts";

test.each(Object.entries(OTHER_FILES))("the good %s has nothing wrong", (file, content) => {
  expect(faultsOf(file, content)).toEqual([]);
});

test("a feed's link into a page is left to that page", () => {
  const { fragments } = verdictOn("feed.xml", rss(item()));
  expect(fragments).toEqual([{ file: "tag/love/index.html", fragment: "q1", page: "feed.xml" }]);
});

const bad = (content: string): string => content.replace("</channel>", "");
test.each<[string, string, string]>([
  [
    "that is cut off",
    bad(rss(item())),
    "it is not well-formed: Expected closing tag 'channel' (opened in line 1, col 99) instead of closing tag 'rss'. (line 1)",
  ],
  [
    "with a sign that is not escaped",
    rss("<item><title>a & b</title></item>"),
    "it is not well-formed: char '&' is not expected. (line 1)",
  ],
  [
    "with an entity of HTML",
    rss("<item><title>&nbsp;</title></item>"),
    'it is not well-formed: "&nbsp;" is not a reference that XML has',
  ],
  [
    "with a control character",
    rss("<item><title>\u0008</title></item>"),
    "it is not well-formed: a character that XML does not have, at 252",
  ],
  ["without a description", rss(item(), ""), "its channel has no description"],
  ["of another version", rss("").replace("2.0", "0.91"), "it does not say that it is version 2.0"],
  [
    "whose prefix is not declared",
    rss(item("<dc:creator>a</dc:creator>")),
    "the prefix of dc:creator is not declared",
  ],
  [
    "that names another as itself",
    rss("").replace("feed.xml", "other.xml"),
    "it names another address as its own",
  ],
  [
    "with an item that says nothing",
    rss("<item></item>"),
    "item 1 has neither title nor description",
  ],
  [
    "with a date of another kind",
    rss(item().replace(/Sat.*GMT/, "2026-11-21")),
    'item 1 has the pubDate "2026-11-21"',
  ],
  [
    "with a link to nowhere",
    rss(item().replace("tag/love", "gone")),
    `item 1's link leads to no file: ${ORIGIN}/gone/#q1`,
  ],
  [
    "with a link that is not absolute",
    rss(item().replace(ORIGIN, "")),
    "item 1's link is no absolute address of this site: /tag/love/#q1",
  ],
  [
    "with a link to another site",
    rss(item().replace("q.example", "x.example")),
    "item 1's link is no absolute address of this site: https://x.example/tag/love/#q1",
  ],
  [
    "with a guid twice",
    rss(
      `${item("<guid isPermaLink='false'>1</guid>")}${item("<guid isPermaLink='false'>1</guid>")}`,
    ),
    "item 2 has the guid of another",
  ],
])("auditFile() finds an RSS feed %s", (_, content, fault) => {
  expect(faultsOf("feed.xml", content)).toEqual([`feed: ${fault}`]);
});

test.each<[string, string, string]>([
  ["without an id", atom("", "<title>t</title>"), "it has 0 of id"],
  ["with two titles in an entry", atom("<title>u</title>"), "entry 1 has 2 of title"],
  ["in no namespace", atom().replace(/ xmlns="[^"]*"/, ""), "it is not in Atom's namespace"],
  [
    "that names another as itself",
    atom().replace("atom.xml", "other.xml"),
    "it names no address or another as its own",
  ],
  ["with a category that is none", atom("<category/>"), "entry 1 has a category without a term"],
  [
    "with a date of RSS",
    atom("<published>Sat, 21 Nov 2026 00:00:00 GMT</published>"),
    'entry 1 has the published "Sat, 21 Nov 2026 00:00:00 GMT"',
  ],
  [
    "with an author without name",
    atom("<author><uri>x</uri></author>"),
    "entry 1 has an author without name",
  ],
  [
    "with a link to nowhere",
    atom().replace("tag/love", "gone"),
    `entry 1's link leads to no file: ${ORIGIN}/gone/#q1`,
  ],
])("auditFile() finds an Atom feed %s", (_, content, fault) => {
  expect(faultsOf("atom.xml", content)).toEqual([`feed: ${fault}`]);
});

test.each<[string, string, RegExp]>([
  ["that is no JSON", "{", /^feed: it is no JSON$/],
  [
    "without a version",
    jsonFeed({ version: "https://jsonfeed.org/version/9" }),
    /^feed: version: /,
  ],
  ["without items", jsonFeed({ items: undefined }), /^feed: items: /],
  ["with an item without id", jsonFeed({}, { id: "" }), /^feed: items\.0\.id: /],
  [
    "with an item without content",
    jsonFeed({}, { content_text: undefined }),
    /^feed: items\.0: has no content$/,
  ],
  [
    "with a day that is no time",
    jsonFeed({}, { date_published: "2026-11-21" }),
    /^feed: items\.0\.date_published: is no date/,
  ],
  [
    "that names another as itself",
    jsonFeed({ feed_url: `${ORIGIN}/x.json` }),
    /^feed: it names another address/,
  ],
  [
    "whose home is not there",
    jsonFeed({ home_page_url: `${ORIGIN}/x/` }),
    /^feed: home_page_url leads to no file/,
  ],
  [
    "with a link to nowhere",
    jsonFeed({}, { url: `${ORIGIN}/x/` }),
    /^feed: items\.0\.url leads to no file/,
  ],
])("auditFile() finds a JSON feed %s", (_, content, fault) => {
  expect(faultsOf("feed.json", content)).toEqual([expect.stringMatching(fault)]);
});

const oEmbed = (more: object = {}): string =>
  JSON.stringify({
    version: "1.0",
    type: "rich",
    title: "t",
    author_name: "a",
    author_url: `${ORIGIN}/tag/love/#q1`,
    provider_url: `${ORIGIN}/`,
    width: 600,
    height: 200,
    html: `<iframe src="${ORIGIN}/tag/love/" title="&lt;/iframe&gt;"></iframe>`,
    ...more,
  });

test.each<[string, object, RegExp | null]>([
  ["as it should be", {}, null],
  ["that is no frame", { html: "<script>x</script>" }, /its html is no frame/],
  [
    "whose quote gets out of the frame",
    { html: `<iframe src="${ORIGIN}/tag/love/" title=""></iframe><img src=x>` },
    /its html is no frame/,
  ],
  [
    "whose frame leads nowhere",
    { html: `<iframe src="${ORIGIN}/embed/9/"></iframe>` },
    /its frame leads to no file/,
  ],
  ["of another version", { version: "2.0" }, /version: /],
])("auditFile() on what others embed: one %s", (_, more, fault) => {
  const faults = faultsOf("embed/1/oembed.json", oEmbed(more));
  expect(faults).toEqual(fault === null ? [] : [expect.stringMatching(fault)]);
});
