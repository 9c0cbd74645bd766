/** Header rules of a finished site, and the form of each host. */
import { expect, test } from "vitest";
import {
  headerRules,
  headersFile,
  nginxSnippet,
  vercelHeaders,
  vercelPattern,
} from "../../src/hosts/headers.ts";
import { emptyFiles, folderWith } from "../support/run/index.ts";

const ASK_FIRST = "public, max-age=0, must-revalidate";
const UNFRAMED = {
  "Cache-Control": ASK_FIRST,
  "Content-Security-Policy": "frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
};

test("headerRules() has one rule for each part: its cache, and who may frame it", () => {
  const files = ["index.html", "tag/love/2/index.html", "embed/1/index.html", "_astro/a.1.js"];
  const more = ["_cards/a.png", "pagefind/pagefind.js", "feed.xml", "build.json.unfinished"];
  // `_headers` is of the host alone.
  const outDir = folderWith(emptyFiles(...files, ...more, "_headers"));
  const [everything, ...parts] = headerRules(outDir, "/q/", null);
  expect(everything).toMatchObject({ path: "/q/", below: true });
  const forEver = { "Cache-Control": "public, max-age=31536000, immutable" };
  const headersOf = parts.map((rule) => [rule.path + (rule.below ? "*" : ""), rule.headers]);
  expect(Object.fromEntries(headersOf)).toEqual({
    "/q/": UNFRAMED,
    "/q/tag/*": UNFRAMED,
    "/q/embed/*": {
      "Cache-Control": ASK_FIRST,
      "Content-Security-Policy": "frame-ancestors *",
    },
    "/q/_astro/*": forEver,
    "/q/_cards/*": forEver,
    "/q/pagefind/*": UNFRAMED,
    "/q/feed.xml": UNFRAMED,
    "/q/build.json": UNFRAMED,
  });
});

test("headerRules() keeps within the host's rules, folders before files", () => {
  const outDir = folderWith(emptyFiles("a.txt", "tag/a/index.html", "z/index.html"));
  expect(headerRules(outDir, "/", 3).map(({ path }) => path)).toEqual(["/", "/tag/", "/z/"]);
});

test("no part names a header of the rule for everything: hosts that join and hosts that replace agree", () => {
  const outDir = folderWith(emptyFiles("a/index.html", "embed/1/index.html", "index.html"));
  const [everything, ...parts] = headerRules(outDir, "/", null);
  const names = Object.keys(everything?.headers ?? {});
  expect(names).toContain("X-Content-Type-Options");
  const again = parts.flatMap(({ headers }) => Object.keys(headers));
  expect(again.filter((name) => names.includes(name))).toEqual([]);
});

test("headersFile(), vercelHeaders() and nginxSnippet() hold the same rules", () => {
  const rules = [
    { path: "/", below: true, headers: { "X-A": "1" } },
    { path: "/a.b/", below: true, headers: { "X-B": "'x' \"y\" $z" } },
    { path: "/c", below: false, headers: { "X-C": "3" } },
  ];
  expect(headersFile(rules)).toBe(`/*\n  X-A: 1\n\n/a.b/*\n  X-B: 'x' "y" $z\n\n/c\n  X-C: 3\n`);
  expect(vercelHeaders(rules).map(({ source }) => source)).toEqual(["/(.*)", "/a\\.b/(.*)", "/c"]);
  const nginx = nginxSnippet(rules);
  expect(nginx).toContain('location ^~ "/a.b/" {\n  add_header X-A "1" always;\n');
  expect(nginx).toContain(`add_header X-B "'x' \\"y\\" z" always;`);
  expect(nginx).toContain('location = "/c" {');
});

test("vercelPattern() escapes a character that means more", () => {
  const path = "/a.b/(c)*:d+?/[e]{f}|^$!/";
  expect(new RegExp(`^${vercelPattern(path)}$`).test(path)).toBe(true);
});
