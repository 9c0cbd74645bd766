/** Redirects in the hosts' own words: within the limits, and with no line that a name could have written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { HOST_NAMES, NO_LIMITS } from "../../src/contract/host.ts";
import { hostOf } from "../../src/hosts/presets.ts";
import {
  acceptedOf,
  encoded,
  redirectPage,
  redirectsFile,
  vercelRedirects,
} from "../../src/hosts/redirects.ts";
import { anyCharacter } from "../support/any-character.ts";

const LINE = /^\/[\w%.~/-]* \/[\w%.~/-]*(?:#q\d+)? 301$/;
const DECODED_LINE = /^\/[\w%.~/\p{L}\p{M}\p{N}-]* \/[\w%.~/-]* 301\n$/u;
const WORDS = {
  lang: "he",
  dir: "rtl",
  moved: "<moved>",
  siteTitle: 'A & "B"',
  attribution: { text: "From <a>", href: "https://service.example/?a=1&b=2" },
} as const;

test("encoded() puts the base in front and writes letters as a host reads them", () => {
  expect(encoded({ from: "/author/т/2/", to: "/author/ш/#q7" }, "/q/")).toEqual({
    from: "/q/author/%D1%82/2/",
    to: "/q/author/%D1%88/#q7",
  });
});

test("redirectsFile() has letters as they are where the host decodes a path before it looks for a rule", () => {
  const { redirects } = hostOf("gitlab");
  const ends = [{ from: "/author/%D1%82/", to: "/author/%D1%88/" }];
  expect(redirectsFile(ends, redirects === "decoded")).toBe("/author/т/ /author/%D1%88/ 301\n");
  expect(redirectsFile([{ from: "/a%0Ab/", to: "/" }], true)).toBe("/a%0Ab/ / 301\n");
});

test("whatever the names, each line is one redirect and the JSON is JSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (a, b) => {
      const ends = encoded({ from: `/author/${a}/`, to: `/author/${b}/` }, "/");
      if (ends === null) return;
      expect(redirectsFile([ends])).toMatch(/^[^\n]+\n$/);
      expect(redirectsFile([ends]).trimEnd()).toMatch(LINE);
      expect(redirectsFile([ends], true)).toMatch(DECODED_LINE);
      const [rule] = vercelRedirects([ends]);
      expect(new RegExp(`^${rule?.source ?? ""}$`).test(ends.from)).toBe(true);
    }),
  );
});

test("acceptedOf() stops at the host's rules and bytes, and leaves longer lines out", () => {
  const many = Array.from({ length: 5 }, (_, n) => ({ from: `/tag/${n}/`, to: "/tags/" }));
  expect(acceptedOf(many, { ...NO_LIMITS, redirects: 3 })).toHaveLength(3);
  const short = acceptedOf(many, { ...NO_LIMITS, redirectBytes: 40 });
  expect(redirectsFile(short)).toBe("/tag/0/ /tags/ 301\n/tag/1/ /tags/ 301\n");
  const long = { from: `/tag/${"x".repeat(900)}/`, to: `/tag/${"y".repeat(200)}/` };
  expect(acceptedOf([long, ...many], hostOf("cloudflare").limits)).toEqual(many);
});

test("a page that leads on escapes what it is given, thanks the service and stays out of search", () => {
  const html = redirectPage("/q/author/%D1%82/#q7", "https://site.example", WORDS);
  expect(html).toContain('<html lang="he" dir="rtl">');
  expect(html).toContain("&lt;moved&gt; · A &amp; &quot;B&quot;");
  expect(html).toContain('<link rel="canonical" href="https://site.example/q/author/%D1%82/">');
  expect(html).toContain('content="0; url=/q/author/%D1%82/#q7"');
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).toMatch(
    /<footer>.*data-attribution href="https:\/\/service\.example\/\?a=1&amp;b=2"/,
  );
  expect(redirectPage("/", "https://x.example", { ...WORDS, attribution: null })).not.toContain(
    "footer",
  );
});

test("every host has a preset, and a site's own limits win over it", () => {
  for (const name of HOST_NAMES) expect(hostOf(name).title).not.toBe("");
  const { limits } = hostOf("cloudflare", { files: 100_000, redirects: null, bytes: undefined });
  expect(limits).toMatchObject({ files: 100_000, redirects: null, bytes: null, headerRules: 100 });
});
