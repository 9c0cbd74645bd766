import { expect, test } from "vitest";
import {
  headersFile,
  literal,
  nginxSnippet,
  vercelHeaders,
} from "../../src/hosts/headers/formats.ts";
import { headerValue, policyOf, widest } from "../../src/hosts/headers/policy.ts";
import { headerRules } from "../../src/hosts/headers/rules.ts";
import { siteOf } from "./support.ts";

const meta = (policy: string): string =>
  `<html><head><meta http-equiv="content-security-policy" content="${policy}"></head>`;
const parsed = (policy: string) => policyOf(meta(policy)) ?? new Map<string, Set<string>>();
const NO_LIMITS = { headerRules: null, headerLine: null };

test("policyOf() reads what a page allows", () => {
  expect(parsed("default-src 'none';img-src 'self'; script-src 'self' 'sha256-a+/='")).toEqual(
    new Map([
      ["default-src", new Set(["'none'"])],
      ["img-src", new Set(["'self'"])],
      ["script-src", new Set(["'self'", "'sha256-a+/='"])],
    ]),
  );
  expect(policyOf("<html>")).toBeNull();
  expect(
    policyOf(`${meta("default-src 'none'")}<meta http-equiv="refresh" content="0">`),
  ).toBeNull();
});

test.each(["img-src a,b", "img-src a\\nx", "img-src é", "img-src \u0001"])(
  "policyOf() takes no policy that a header could not carry: %j",
  (policy) => {
    expect(policyOf(meta(policy.replace("\\n", "\u0000")))).toBeNull();
  },
);

test("widest() allows what any page allows, and binds nothing that a page leaves free", () => {
  const policy = widest([
    parsed("default-src 'none'; script-src 'self' 'sha256-a'; img-src 'none'"),
    parsed(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self'; font-src 'self'",
    ),
  ]);
  expect([...(policy.get("script-src") ?? [])]).toEqual([
    "'self'",
    "'sha256-a'",
    "'wasm-unsafe-eval'",
  ]);
  expect([...(policy.get("img-src") ?? [])]).toEqual(["'self'"]);
  expect(policy.has("font-src")).toBe(false);
});

test("headerValue() forbids frames, and leaves scripts to the page where the line would be too long", () => {
  const policy = parsed("default-src 'none'; script-src 'self' 'sha256-a'; img-src 'self'");
  expect(headerValue(policy, 500)).toBe(
    "default-src 'none'; script-src 'self' 'sha256-a'; img-src 'self'; frame-ancestors 'none'",
  );
  expect(headerValue(policy, 60)).toBe("img-src 'self'; frame-ancestors 'none'");
});

test("headerRules() give each part the policy of its own pages, and caches by what a name promises", () => {
  const outDir = siteOf({
    "index.html": meta("script-src 'self'"),
    "search/index.html": meta("script-src 'self' 'wasm-unsafe-eval'"),
    "tag/love/index.html": meta("script-src 'self'"),
    "tag/love/2/index.html": meta("script-src 'self' 'sha256-x'"),
    "_astro/a.1.js": "",
    "_cards/a.png": "",
    "pagefind/pagefind.js": "",
    "feed.xml": "",
  });
  const rules = headerRules(outDir, "/q/", NO_LIMITS);
  const of = (path: string) => rules.find((rule) => rule.path === path)?.headers ?? {};
  expect(rules[0]).toMatchObject({ path: "/q/", below: true });
  expect(of("/q/search/")["Content-Security-Policy"]).toContain("wasm-unsafe-eval");
  expect(of("/q/tag/")["Content-Security-Policy"]).toBe(
    "script-src 'self' 'sha256-x'; frame-ancestors 'none'",
  );
  expect(of("/q/_astro/")).toEqual({ "Cache-Control": "public, max-age=31536000, immutable" });
  expect(of("/q/tag/")["Cache-Control"]).toBe("public, max-age=0, must-revalidate");
  for (const path of ["/q/pagefind/", "/q/feed.xml"]) {
    expect(of(path)).toEqual({ "Cache-Control": "public, max-age=0, must-revalidate" });
  }
  // The page itself, besides everything below it.
  expect(rules.filter(({ path }) => path === "/q/").map(({ below }) => below)).toEqual([
    true,
    false,
  ]);
  expect(headerRules(outDir, "/", { headerRules: 3, headerLine: null })).toHaveLength(3);
});

test("no header stands twice for one path, so that joining and replacing hosts agree, and only embeds are framed", () => {
  const page = meta("img-src 'self'");
  const files = { "a/index.html": page, "embed/1/index.html": page, "index.html": page };
  const [everywhere, ...parts] = headerRules(siteOf(files), "/", NO_LIMITS);
  const twice = parts.flatMap(({ headers }) =>
    Object.keys(headers).filter((name) => name in (everywhere?.headers ?? {})),
  );
  expect(twice).toEqual([]);
  expect(everywhere?.headers["X-Frame-Options"]).toBe("DENY");
  const framing = parts.map(({ path, headers }) => [
    path,
    /frame-ancestors (\S+)/.exec(headers["Content-Security-Policy"] ?? "")?.[1],
  ]);
  expect(Object.fromEntries(framing)).toEqual({
    "/a/": "'none'",
    "/embed/": "*",
    "/": "'none'",
  });
});

test("each form says the same", () => {
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

test("literal() stands for itself in a pattern", () => {
  const path = "/a.b/(c)*:d+?/[e]{f}|^$!/";
  expect(new RegExp(`^${literal(path)}$`).test(path)).toBe(true);
});
