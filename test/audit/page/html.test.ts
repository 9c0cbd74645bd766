/** What a page may have wrong in its markup, one fault at a time. */
import { expect, test } from "vitest";
import { missingIds } from "../../../src/audit/page/facts.ts";
import { auditHtml } from "./one-page.ts";
import { page } from "../site.ts";

const invalid = (fault: string): string[] => [`invalid HTML: ${fault}`];
const LINK = '<a href="#main">';

test.each<[string, string]>([
  ["end tags that may be left out", "<ul><li>a<li>b</ul><p>a<p>b<table><tr><td>a<td>b</table>"],
  ["a paragraph that a block ends", "<p>a<div>b</div>"],
  ["empty elements", "<br><hr/><img src=/a.png alt>"],
  ["closed elements of SVG", "<svg><path d=''/><g><use href='#main'/></g></svg>"],
  ["names in any case, and values in any quotes", `<P ID=x></P><a HREF='#x'>a</a><a href=#x>b</a>`],
  ["entities in values", `<p id="a&amp;&#60;&#x3e;"></p><a href="#a&amp;&lt;&gt;">a</a>`],
  ["references to ids", '<label for="i">a</label><input id="i" aria-describedby="i main">'],
  ["a fragment with a stray sign", '<p id="100%"></p><a href="#100%">a</a>'],
  ["a template", '<template><main id="main"><h1 id="i">a</h1></main></template><a href="#i">a</a>'],
  [
    "a link that is a target",
    '<a name="i"></a><h2 id="i">b</h2><a href="#i">a</a><a href="#n">c</a><a name=n></a>',
  ],
  ["markup in text", "<script>if (a<b) '</div>'</script><textarea><b></textarea>"],
])("a page with %s is valid", (_, body) => {
  expect(auditHtml(page(body))).toEqual([]);
});

test.each<[string, string, string]>([
  ["an element that is never closed", "<div><b>a</div>", "</div> comes before the end of <b>"],
  ["an end without a beginning", "a</span>", "</span> closes nothing"],
  ["tags in the wrong order", "<b><i>a</b></i>", "</b> comes before the end of <i>"],
  ["a block in a paragraph", "<p><ul></ul></p>", "</p> closes nothing"],
  ["an element that does not close itself", "<div/>", "<div/> does not close itself"],
  ["an attribute twice", "<i class=a class=b></i>", "<i> has class twice"],
  ["an open value", '<i title="a>b</i><i title="c"></i>', "an attribute of <i> is not closed"],
  ["a link in a link", `${LINK}<b>${LINK}</a></b></a>`, "<a> is inside another <a>"],
  ["a form in a form", "<form><div><form></form></div></form>", "<form> is inside another <form>"],
  ["a picture without words", "<img src=/a.png>", "an <img> has no alt"],
  ["two headings of the page", "<h1>b</h1>", "it has 2 <h1>"],
  ["two main parts", "<main></main>", "it has 2 <main>"],
  [
    "a label for nothing",
    '<label for="i"></label>',
    'an attribute names "i", and nothing has that id',
  ],
  ["a NUL", "a\0b", "it holds a NUL"],
])("auditPage() finds %s", (_, body, fault) => {
  expect(auditHtml(page(body))).toEqual(invalid(fault));
});

/** As the standard says of omitted end tags. */
const ENDED_BY = {
  li: "li",
  dt: "dt dd",
  dd: "dt dd",
  option: "option optgroup",
  optgroup: "optgroup",
  rt: "rt rp",
  rp: "rt rp",
  thead: "tbody",
  tbody: "tbody tfoot",
  tr: "tr tbody tfoot",
  td: "td th tr tbody tfoot",
  th: "td th tr tbody tfoot",
};

test.each(
  Object.entries(ENDED_BY).flatMap(([name, next]) =>
    next.split(" ").map((by): [string, string] => [name, by]),
  ),
)("a <%s> ends before the next <%s>", (name, by) => {
  const twice = `<${name}>a<${by}>b</${by}></${name}>`;
  expect(auditHtml(page(twice))).toEqual(invalid(`</${name}> closes nothing`));
});

test("missingIds() knows links by their name", () => {
  expect([...missingIds('<a name="a" id="b"><i name="c">', ["a", "b", "c"])]).toEqual(["c"]);
});

const good = page("");
const CHARSET = '<meta charset="utf-8">';
const NO_CHARSET = `no ${CHARSET} within the first 1024 bytes`;
const LATE = `<!--${" ".repeat(999)}-->${CHARSET}`;
const NOT_UTF8 = Buffer.concat([Buffer.from(good), Buffer.from([0xff])]);
test.each<[string, string | Buffer]>([
  ["it does not begin with <!DOCTYPE html>", good.replace("<!DOCTYPE html>", "")],
  ["<html> has no lang", good.replace(' lang="en"', "")],
  [NO_CHARSET, good.replace(CHARSET, "")],
  [NO_CHARSET, good.replace(CHARSET, LATE)],
  ["it has no title", good.replace("<title><a></title>", "")],
  ["it has no title", good.replace("<title><a></title>", "<title> </title>")],
  ["</body> comes before the end of <main>", good.replace("</main>", "")],
  ["it has 0 <h1>", good.replace("<h1>A page</h1>", "")],
  ["<script> is never closed", good.replace("</body>", "<script>x</body>")],
  ["it is not UTF-8", NOT_UTF8],
])("auditPage() on a document: %s", (fault, html) => {
  expect(auditHtml(html)).toContain(`invalid HTML: ${fault}`);
});
