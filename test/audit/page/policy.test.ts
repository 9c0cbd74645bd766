/** The audit reads what a policy says, and not only that there is one. */
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { ALLOW_NOTHING } from "../../../src/contract/allow.ts";
import { auditHtml } from "./one-page.ts";
import { OWN_KIND } from "../../../src/audit/page/rules.ts";
import { FOOTER, page, POLICY } from "../site.ts";

const CODE = 'document.documentElement.dataset.on = "";';
const SHEET = "p{color:red}";
const digest = (text: string, name = "sha256"): string => `'${name}-${hash(name, text, "base64")}'`;

/** A page with a policy, and markup before it and in its body. */
const pageWith = (policy: string, { before = "", body = "" } = {}): string =>
  page(body).replace(
    /<meta http-equiv[^>]*>/,
    `${before}<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );

const BASE = "default-src 'none'; base-uri 'none'; form-action 'self'";
const STRICT = `${BASE}; script-src 'self'; style-src 'self'`;

test.each([
  STRICT,
  `${STRICT}; img-src 'self' data:; connect-src 'self' https://votes.example`,
  `${STRICT}; connect-src 'self' https://service.example`,
  `${BASE};script-src\thttps://q.example 'wasm-unsafe-eval';STYLE-SRC 'SELF' ;;`,
  "default-src 'self'; base-uri 'self'; form-action https://votes.example",
  // The first of two is in force.
  `${STRICT}; img-src 'self'; img-src *`,
])("auditPage() accepts the policy %s", (policy) => {
  expect(auditHtml(pageWith(policy))).toEqual([]);
  expect(auditHtml(pageWith(policy), { kind: OWN_KIND })).toEqual([]);
});

test.each<[string, string, ...string[]]>([
  [`${STRICT}; img-src *`, 'img-src has "*"'],
  [`${STRICT}; connect-src 'self' *`, 'connect-src has "*"'],
  [`${STRICT}; connect-src https:`, 'connect-src has "https:"'],
  [`${STRICT}; frame-src https://video.example`, 'frame-src has "https://video.example"'],
  [`${STRICT}; font-src fonts.example`, 'font-src has "fonts.example"'],
  // Where votes go, no file comes from.
  [`${STRICT}; img-src https://votes.example`, 'img-src has "https://votes.example"'],
  [`${STRICT}; script-src-elem 'self' https://service.example`, "script-src-elem has"],
  [`${STRICT}; img-src https://*.example`, 'img-src has "https://*.example"'],
  [`${STRICT}; img-src &#42;`, 'img-src has "*"'],
  [`${STRICT};\nIMG-SRC\n*`, 'img-src has "*"'],
  [`${STRICT}; img-src 'self' https://q.example.evil.example`, "img-src has"],
  [`${STRICT}; script-src-elem 'self' 'unsafe-inline'`, "script-src-elem has \"'unsafe-inline'\""],
  [`${BASE}; style-src 'self'; script-src 'self' 'unsafe-inline'`, "script-src has"],
  [`${BASE}; style-src 'self'; script-src 'self' 'unsafe-eval'`, "script-src has"],
  [`${BASE}; style-src 'self'; script-src 'self' data:`, "script-src has"],
  [`${BASE}; style-src 'self'; script-src 'self' 'nonce-abc'`, "script-src has"],
  [`${BASE}; style-src 'self'; script-src 'self' 'strict-dynamic'`, "script-src has"],
  [`${BASE}; script-src 'self'; style-src 'self' 'unsafe-inline'`, "style-src has"],
  [`${STRICT}; style-src-attr 'unsafe-inline'`, "style-src-attr has"],
  [`${STRICT}; form-action *`.replace("form-action 'self'; ", ""), 'form-action has "*"'],
  [STRICT.replace("default-src 'none'; ", ""), "nothing limits"],
  [STRICT.replace(" base-uri", "&nbsp;base-uri"), "nothing limits base-uri"],
  [STRICT.replace("base-uri 'none'; ", ""), "nothing limits base-uri"],
  [STRICT.replace("form-action 'self'; ", ""), "nothing limits form-action"],
  [STRICT.replace("default-src 'none'", "default-src *"), 'default-src has "*"'],
])("auditPage() refuses the policy %s", (policy, fault) => {
  const [first = "", ...others] = auditHtml(pageWith(policy));
  expect(first).toContain(`policy: ${fault}`);
  for (const other of others) expect(other).toContain("policy: nothing limits");
  expect(auditHtml(pageWith(policy), { kind: OWN_KIND })[0]).toContain(fault);
});

const ALLOW = {
  ...ALLOW_NOTHING,
  script: ["https://stats.example"],
  connect: ["https://mail.example"],
  frame: ["https://video.example"],
};

test("a policy may name what the site allows, each origin for its kind", () => {
  const policy = `${STRICT}; frame-src https://video.example; connect-src 'self' https://mail.example`;
  expect(auditHtml(pageWith(policy), {}, { allow: ALLOW })).toEqual([]);
  expect(auditHtml(pageWith(policy))).toHaveLength(2);
  for (const wrong of ["frame-src https://stats.example", "img-src https://video.example"]) {
    const found = auditHtml(pageWith(`${STRICT}; ${wrong}`), {}, { allow: ALLOW });
    expect(found).toEqual([expect.stringContaining(wrong.split(" ")[0] ?? "")]);
  }
});

test.each([
  [
    '<script src="https://stats.example/a.js"></script>',
    "script-src-elem",
    "https://stats.example",
  ],
  [
    '<iframe title="x" src="https://video.example/1"></iframe>',
    "frame-src",
    "https://video.example",
  ],
  ['<img alt="" src="https://video.example/1.png">', "img-src", "https://video.example"],
  ['<form action="https://mail.example/x"></form>', "form-action", "https://mail.example"],
  [
    '<form><button formaction="https://evil.example/x"></button></form>',
    "form-action",
    "https://evil.example",
  ],
])(
  "auditPage() finds that the policy keeps the page from what it needs: %s",
  (body, directive, origin) => {
    const fault = `policy: it keeps the page from ${origin}: ${directive} lacks it`;
    expect(auditHtml(pageWith(STRICT, { body }), {}, { allow: ALLOW })).toEqual([fault]);
    if (!origin.includes("stats")) return;
    const policy = STRICT.replace("script-src 'self'", `script-src 'self' ${origin}`);
    expect(auditHtml(pageWith(policy, { body }), {}, { allow: ALLOW })).toEqual([]);
  },
);

test("a policy that lost 'self' is found by what it keeps from working", () => {
  const policy = `${BASE}; script-src https://votes.example/a.js 'sha256-AA='; style-src ${digest("")}`;
  const body = '<script src="/a.js"></script>';
  const withPath = policy.replace("https://votes.example/a.js", "https://q.example/only.js");
  expect(auditHtml(pageWith(withPath, { body }))).toHaveLength(2);
  expect(auditHtml(pageWith(policy.replace("https://votes.example/a.js ", ""), { body }))).toEqual([
    "policy: its scripts do not run: script-src lacks 'self'",
    "policy: its sheets do not apply: style-src lacks 'self'",
  ]);
});

test.each<[string, string]>([
  [`<script>${CODE}</script>`, CODE],
  [`<script type="module">${CODE}</script>`, CODE],
  [`<script type=" text/javascript ">${CODE}</script>`, CODE],
  [`<script type="text/javascript1.5">${CODE}</script>`, CODE],
  [`<script type="text/javascript">\r\n${CODE}</script>`, `\n${CODE}`],
  ['<script type="speculationrules">{"prefetch":[]}</script>', '{"prefetch":[]}'],
  [`<style>${SHEET}</style>`, SHEET],
  [`<svg><style>${SHEET}</style></svg>`, SHEET],
])("auditPage() finds that the policy has no digest of %s, before it too", (markup, content) => {
  const fault = /^policy: it has no digest of the <(?:script|style)> that begins "/;
  expect(auditHtml(pageWith(STRICT, { body: markup }))).toEqual([expect.stringMatching(fault)]);
  // In a head it would end that, and the policy would be none.
  if (!markup.startsWith("<svg"))
    expect(auditHtml(pageWith(STRICT, { before: markup }))).toEqual([expect.stringMatching(fault)]);
  for (const name of ["sha256", "sha384", "sha512"]) {
    const own = digest(content, name);
    for (const spelled of [own, own.replaceAll("+", "-").replaceAll("/", "_")]) {
      const policy = STRICT.replaceAll("-src 'self'", `-src 'self' ${spelled}`);
      expect(auditHtml(pageWith(policy, { body: markup }))).toEqual([]);
    }
  }
});

test("data, templates and what has its own rule need no digest", () => {
  const body = [
    '<script type="application/json">{}</script>',
    '<script type="application/ld+json">{}</script>',
    `<template><script>${CODE}</script></template>`,
  ].join("");
  expect(auditHtml(pageWith(STRICT, { body }))).toEqual([]);
});

test.each(['<img alt="" src="/a.png" ONERROR="a()">', "<p onclick>", "<svg onload='a()'></svg>"])(
  "auditPage() finds the handler of %s",
  (markup) => {
    const body = markup.startsWith("<p") ? `${markup}</p>` : markup;
    expect(auditHtml(page(body))).toEqual([expect.stringMatching(/^policy: it lets no handler/)]);
  },
);

test("of two policies each applies: what one forbids, and what one lacks, counts", () => {
  const loose = STRICT.replace("default-src 'none'", "default-src *");
  const two = (first: string, second: string, body = ""): string =>
    pageWith(`${first}"><meta http-equiv="content-security-policy" content="${second}`, { body });
  expect(auditHtml(two(loose, STRICT))).toEqual([]);
  expect(auditHtml(two(loose, loose))).toEqual(['policy: default-src has "*"']);
  const known = STRICT.replace("script-src 'self'", `script-src 'self' ${digest(CODE)}`);
  const body = `<script>${CODE}</script>`;
  expect(auditHtml(two(known, known, body))).toEqual([]);
  expect(auditHtml(two(known, STRICT, body))).toHaveLength(1);
});

test.each(["<div></div>", '<img alt="" src="/a.png">', "text", "<p>", "&nbsp;", "<svg></svg>"])(
  "%s in the head ends it, and a policy after it is none",
  (markup) => {
    const findings = auditHtml(page("").replace(POLICY, markup + POLICY));
    expect(findings).toContain("policy: it has none");
  },
);

test("comments, white space and what belongs into a head do not end it", () => {
  const markup = `<!-- a --> <title>text</title>\n<noscript><meta name="a"></noscript><template><p>a</p></template>`;
  expect(auditHtml(page("").replace(POLICY, markup + POLICY))).not.toContain("policy: it has none");
});

test("a policy that browsers do not read is none", () => {
  const without = page("").replace(POLICY, "");
  expect(auditHtml(without.replace("<main", `${POLICY}<main`))).toEqual(["policy: it has none"]);
  const inFooter = page("", FOOTER.replace("</footer>", `${POLICY}</footer>`)).replace(POLICY, "");
  expect(auditHtml(inFooter)).toEqual(["policy: it has none"]);
  const hidden = `<noscript>${POLICY}</noscript>`;
  expect(auditHtml(without.replace("<title", `${hidden}<title`))).toEqual(["policy: it has none"]);
});
