import { expect, test } from "vitest";
import { targetOf } from "../../../src/audit/page/links.ts";

const SITE = { origin: "https://q.example", base: "/book/" };
const PAGE = "/tag/love/2/";

test.each([
  ["/book/", "index.html", ""],
  ["/book/tag/wit/", "tag/wit/index.html", ""],
  ["/book/author/%D1%82/#q1", "author/т/index.html", "q1"],
  ["/book/feed.xml?a=1#x", "feed.xml", "x"],
  ["https://q.example/book/404.html", "404.html", ""],
  ["../3/", "tag/love/3/index.html", ""],
  ["./#q7", "tag/love/2/index.html", "q7"],
  ["?page=2", "tag/love/2/index.html", ""],
  [" /book/ta\ng/wit/ ", "tag/wit/index.html", ""],
  ["/book/tag/../today/", "today/index.html", ""],
])("targetOf(%j) is a file of the site", (href, file, fragment) => {
  expect(targetOf(href, PAGE, SITE)).toEqual({ kind: "inside", file, fragment });
});

test.each([
  "https://elsewhere.example/",
  "https://q.example/other/",
  "//elsewhere.example/",
  "mailto:a@b.example",
  "data:image/png;base64,AA==",
])("targetOf(%j) leads out of the site", (href) => {
  expect(targetOf(href, PAGE, SITE).kind).toBe("outside");
});

test.each(["javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:alert(1)", "vbscript:x"])(
  "targetOf(%j) runs code",
  (href) => {
    expect(targetOf(href, PAGE, SITE).kind).toBe("code");
  },
);

test.each(["/tag/love/", "/", "../../../../x/", "/book/%E0%A4%A/"])(
  "targetOf(%j) is broken",
  (href) => {
    expect(targetOf(href, PAGE, SITE).kind).toBe("broken");
  },
);
