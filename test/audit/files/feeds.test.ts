/** Feeds, oEmbed answers and manifests, one fault at a time. */
import { expect, test } from "vitest";
import { atom, OTHER_FILES, item, jsonFeed, ORIGIN, rss } from "../other-files.ts";
import { faultsOf, verdictOn } from "./one-file.ts";

test.each(Object.entries(OTHER_FILES))("auditFile() finds nothing in the good %s", (file, text) => {
  expect(faultsOf(file, text)).toEqual([]);
});

test("auditFile() leaves a feed's link into a page to that page", () => {
  const { fragments } = verdictOn("feed.xml", rss(item()));
  expect(fragments).toEqual(["tag/love/index.html\0q1"]);
});

/** An item, or what is left of a good one after a replacement. */
const changed = (from: string | RegExp, to: string): string => rss(item().replace(from, to));
const titled = (text: string): string => rss(`<item><title>${text}</title></item>`);
const guid = item("<guid isPermaLink='false'>1</guid>");
const RSS_DATE = "Sat, 21 Nov 2026 00:00:00 GMT";
const ELSEWHERE = "item 1's link is no absolute address of this site: ";
const CUT =
  "Expected closing tag 'channel' (opened in line 1, col 99) instead of closing tag 'rss'.";

test.each<[string, string]>([
  [`it is not well-formed: ${CUT} (line 1)`, rss(item()).replace("</channel>", "")],
  ["it is not well-formed: it has 2 roots", "<a/><b/>"],
  ["it is not well-formed: char '&' is not expected. (line 1)", titled("a & b")],
  ['it is not well-formed: "&nbsp;" is not a reference that XML has', titled("&nbsp;")],
  ["it is not well-formed: a character that XML does not have, at 252", titled("\u0008")],
  ["its channel has no description", rss(item(), "")],
  ["it does not say that it is version 2.0", rss("").replace("2.0", "0.91")],
  ["the prefix of dc:creator is not declared", rss(item("<dc:creator>a</dc:creator>"))],
  ["it names another address as its own", rss("").replace("feed.xml", "other.xml")],
  ["item 1 has neither title nor description", rss("<item></item>")],
  ['item 1 has the pubDate "2026-11-21"', changed(RSS_DATE, "2026-11-21")],
  [`item 1's link leads to no file: ${ORIGIN}/gone/#q1`, changed("tag/love", "gone")],
  [`${ELSEWHERE}/tag/love/#q1`, changed(ORIGIN, "")],
  [`${ELSEWHERE}https://x.example/tag/love/#q1`, changed("q.example", "x.example")],
  ["item 2 has the guid of another", rss(guid + guid)],
])("auditFile() on an RSS feed: %s", (fault, content) => {
  expect(faultsOf("feed.xml", content)).toEqual([`feed: ${fault}`]);
});

test.each<[string, string]>([
  ["it has 0 of id", atom("", "<title>t</title>")],
  ["entry 1 has 2 of title", atom("<title>u</title>")],
  ["it is not in Atom's namespace", atom().replace(/ xmlns="[^"]*"/, "")],
  ["it names no address or another as its own", atom().replace("atom.xml", "other.xml")],
  ["entry 1 has a category without a term", atom("<category/>")],
  [`entry 1 has the published "${RSS_DATE}"`, atom(`<published>${RSS_DATE}</published>`)],
  ["entry 1 has an author without name", atom("<author><uri>x</uri></author>")],
  [`entry 1's link leads to no file: ${ORIGIN}/gone/#q1`, atom().replace("tag/love", "gone")],
])("auditFile() on an Atom feed: %s", (fault, content) => {
  expect(faultsOf("atom.xml", content)).toEqual([`feed: ${fault}`]);
});

test.each<[RegExp, string]>([
  [/^feed: it is not JSON$/, "{"],
  [/^feed: version: /, jsonFeed({ version: "https://jsonfeed.org/version/9" })],
  [/^feed: items: /, jsonFeed({ items: undefined })],
  [/^feed: items\.0\.id: /, jsonFeed({}, { id: "" })],
  [/^feed: items\.0: has no content$/, jsonFeed({}, { content_text: undefined })],
  [
    /^feed: items\.0\.date_published: is not a date/,
    jsonFeed({}, { date_published: "2026-11-21" }),
  ],
  [/^feed: it names another address/, jsonFeed({ feed_url: `${ORIGIN}/x.json` })],
  [/^feed: home_page_url leads to no file/, jsonFeed({ home_page_url: `${ORIGIN}/x/` })],
  [/^feed: items\.0\.url leads to no file/, jsonFeed({}, { url: `${ORIGIN}/x/` })],
])("auditFile() on a JSON feed: %s", (fault, content) => {
  expect(faultsOf("feed.json", content)).toEqual([expect.stringMatching(fault)]);
});

const oEmbed = (more: object = {}): string =>
  JSON.stringify({
    ...{ version: "1.0", type: "rich", title: "t", author_name: "a", width: 600, height: 200 },
    author_url: `${ORIGIN}/tag/love/#q1`,
    provider_url: `${ORIGIN}/`,
    html: `<iframe src="${ORIGIN}/tag/love/" title="&lt;/iframe&gt;"></iframe>`,
    ...more,
  });
const ESCAPED = `<iframe src="${ORIGIN}/tag/love/" title=""></iframe><img src=x>`;

test.each<[string, object, RegExp | null]>([
  ["as it should be", {}, null],
  ["that is no frame", { html: "<script>x</script>" }, /its html is no frame/],
  ["whose quote gets out of the frame", { html: ESCAPED }, /its html is no frame/],
  ["to nowhere", { html: `<iframe src="${ORIGIN}/e/9/"></iframe>` }, /its frame leads to no file/],
  ["of another version", { version: "2.0" }, /version: /],
])("auditFile() on an oEmbed answer %s", (_, more, fault) => {
  const faults = faultsOf("embed/1/oembed.json", oEmbed(more));
  expect(faults).toEqual(fault === null ? [] : [expect.stringMatching(fault)]);
});

test.each<[string, string, string?]>([
  ["../tag/love/", "/"],
  ["/", "/gone.png", `its address leads to no file: ${ORIGIN}/gone.png`],
  ["http://", "/", "its address is no absolute address of this site: http://"],
])("auditFile() on a manifest that starts at %s with the icon %s: %s", (start, src, fault) => {
  const manifest = JSON.stringify({ name: "n", start_url: start, icons: [{ src }] });
  const faults = fault === undefined ? [] : [`manifest: ${fault}`];
  expect(faultsOf("app/manifest.webmanifest", manifest)).toEqual(faults);
});
