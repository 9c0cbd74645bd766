/** Reads a built site: the markup that people and programs rely on, and upstream text that stays text. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { shorten } from "../../src/util/text.ts";
import { buildSite, pagesIn, type BuiltSite } from "../support/built/index.ts";
import { HOSTILE, SCRIPT_TEXT, siteQuotes } from "../support/snapshot/index.ts";

let site: BuiltSite;
let pages: string[];
const quotes = siteQuotes();
const read = (path: string) => readFileSync(join(site.outDir, path), "utf8");

beforeAll(async () => {
  site = await buildSite({ quotes });
  pages = pagesIn(site.outDir);
});

/** Undoes the escapes that Astro writes. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&#39;|&#x27;/g, "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

interface Shown {
  readonly id: number;
  readonly lang: string;
  readonly dir: string;
  readonly text: string;
}

const ARTICLE =
  /<article class="quote" id="q(\d+)" data-pk="\1" lang="([^"]+)" dir="([^"]+)"[^>]*>[\s\S]*?<blockquote>([\s\S]*?)<\/blockquote>/g;

const shownOn = (path: string): Shown[] =>
  Array.from(read(path).matchAll(ARTICLE), ([, id, lang = "", dir = "", text = ""]) => ({
    id: Number(id),
    lang,
    dir,
    text: textOf(text),
  }));

test("no title and no description turns the words after it round", () => {
  const head = (path: string) => read(path).split("</head>", 1)[0] ?? "";
  const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
  expect(pages.filter((path) => BIDI.test(head(path)))).toEqual([]);
  // The quote, its page to embed, its author and its tag.
  expect(pages.filter((path) => head(path).includes("<title>Desrever")).length).toBe(4);
});

test("each button that votes or reports belongs to a form of its own page that sends it", () => {
  const VOTING = "http://127.0.0.1:8080/apiv1/";
  const OPERATIONS = { vote_up: "upvote", vote_down: "downvote", vote_report: "report" };
  const holding = pages.filter((path) => read(path).includes("<vote-box"));
  expect(holding).toEqual(
    expect.arrayContaining(["index.html", "random/index.html", "today/index.html"]),
  );
  for (const path of pages) {
    const html = read(path);
    const forms = new Map(
      Array.from(
        html.matchAll(/<form id="(\w+)" method="post" action="([^"]+)\/" hidden>/g),
        ([, id, action]) => [id, action],
      ),
    );
    const buttons = html.matchAll(/<button form="([^"]*)" name="pk" value="(\d*)"/g);
    const sent = Array.from(buttons, ([, form, pk]) => `${forms.get(form) ?? form} ${pk}`);
    const cards = path.startsWith("embed/") ? [] : html.matchAll(/<article [^>]*data-pk="(\d+)"/g);
    const wanted = Array.from(cards, ([, pk]) =>
      Object.values(OPERATIONS).map((operation) => `${VOTING}${operation} ${pk}`),
    );
    expect(sent, path).toEqual(wanted.flat());
  }
});

test("every quote is on its language's pages with its own words, language and direction", () => {
  for (const code of ["en", "ar", "be", "cs", "und"]) {
    const shown = pages.filter((path) => path.startsWith(`language/${code}/`)).flatMap(shownOn);
    const wanted = quotes.filter((quote) => (quote.language ?? "en") === code);
    expect(new Map(shown.map(({ id, text }) => [id, text]))).toEqual(
      new Map(wanted.map(({ id, text = "" }) => [id, text])),
    );
  }
  expect(shownOn("language/be/index.html")[0]).toMatchObject({ lang: "bn", dir: "ltr" });
  expect(shownOn("language/he/index.html")[0]).toMatchObject({ lang: "he", dir: "rtl" });
});

test("a quote's page leads to its language, and offers others in their own words, language and direction", () => {
  const offered = (id: number) =>
    Array.from(
      (read(`quote/${id}/index.html`).split('class="offers"')[1] ?? "").matchAll(
        /<li lang="([^"]+)" dir="([^"]+)"[^>]*> *<a href="\/quote\/(\d+)\/">([^<]*)<\/a>/g,
      ),
      ([, lang, dir, other, text = ""]) => ({ lang, dir, id: Number(other), text: textOf(text) }),
    );
  /** A link shows no more of a quote. */
  const shown = (text = ""): string => shorten(text, 64);
  const arabic = quotes.filter(({ language, author }) => language === "ar" && author === "ar 1");
  expect(offered(arabic[0]?.id ?? 0)).toEqual(
    arabic.slice(1, 3).map(({ id, text }) => ({ lang: "ar", dir: "rtl", id, text: shown(text) })),
  );
  const steps = Array.from(
    read(`quote/${arabic[1]?.id}/index.html`).matchAll(/rel="(prev|next)" href="([^"]+)"/g),
    ([, rel, path]) => [rel, path],
  );
  expect(steps).toEqual([
    ["prev", `/quote/${arabic[0]?.id}/`],
    ["next", `/quote/${arabic[2]?.id}/`],
  ]);
  expect(read(`quote/${arabic[0]?.id}/index.html`)).toMatch(
    /<h1 class="hidden" lang="ar">[^]*class="kicker">\s*<a href="\/language\/ar\/" lang="ar"/,
  );
  const [first, ...others] = HOSTILE.map((text) => quotes.find((quote) => quote.text === text));
  expect(offered(first?.id ?? 0)).toEqual(
    others
      .slice(0, 3)
      .map((other) => ({ lang: "en", dir: "ltr", id: other?.id, text: shown(other?.text) })),
  );
});

test("no page calls data old that is a day old", () => {
  expect(pages.filter((path) => read(path).includes('class="stale"'))).toEqual([]);
});

test("pages speak the language they are about, and the site's own elsewhere", () => {
  expect(read("language/ar/index.html")).toMatch(/<html lang="ar" dir="rtl"/);
  expect(read("language/ar/2/index.html")).toContain("الصفحة 2 من 2");
  expect(read("language/be/index.html")).toMatch(/<html lang="bn" dir="ltr"/);
  expect(read("language/be/index.html")).toContain("৫৫টি উদ্ধৃতি");
  expect(read("language/cs/index.html")).toMatch(/<html lang="en" dir="ltr"/);
  expect(read("tag/rights/index.html")).toMatch(/<html lang="en" dir="ltr"/);
  expect(read("language/ar/index.html")).toContain('hreflang="bn"');
});

test("pages that are another's alternates name it in turn, in their heads and in the sitemap", () => {
  const addressOf = (page: string) => /(?<=rel="canonical" href="|<loc>)[^"<]+/.exec(page)?.[0];
  const heads = pages.map(read);
  const entries = read("sitemap-1.xml").split("</url>");
  for (const named of [heads, entries]) {
    const links = named.flatMap((page) =>
      Array.from(
        page.matchAll(/rel="alternate" hreflang="(?!x-default)[^"]+" href="([^"]+)"/g),
        ([, href]) => `${addressOf(page)} ${href}`,
      ),
    );
    const turned = links.map((link) => link.split(" ").reverse().join(" "));
    expect(links.length).toBeGreaterThan(9);
    expect(links.toSorted()).toEqual(turned.toSorted());
  }
});

describe("hostile text", () => {
  test("is no markup on any page", () => {
    for (const path of pages) {
      expect(read(path), path).not.toMatch(/<img[^>]*onerror|<\/script><img/i);
    }
  });

  test("is shown as it is in an index", () => {
    const tags = textOf(read("tags/index.html"));
    expect(HOSTILE.filter((text) => !tags.includes(text.slice(0, 30)))).toEqual([]);
  });
});

test("all CSS is in the layer", () => {
  const sheets = globSync("_astro/*.css", { cwd: site.outDir }).map(read);
  expect(sheets.length).toBeGreaterThan(0);
  let depth = 0;
  let outside = "";
  for (const letter of sheets.join("").replace(/"[^"]*"/g, "")) {
    if (depth === 0) outside += letter;
    if (letter === "{") depth++;
    if (letter === "}") depth--;
  }
  const rules = outside.match(/[^{;]+[{;]/g) ?? [];
  expect(rules.filter((rule) => !rule.trim().startsWith("@layer commonplace"))).toEqual([]);
});

// No browser of the tests is Safari: it drops the first two, and knows the third by its prefix alone.
test.each<[string, RegExp, RegExp | null]>([
  ["a line under links with a colour", /[{;]text-decoration:\w+ /, null],
  [
    "marks in the margin of a box",
    /overflow-clip-margin:/,
    /@supports not \(overflow-clip-margin:/,
  ],
  ["one size of text", /[{;]text-size-adjust:/, /-webkit-text-size-adjust:/],
])("Safari shows %s", (_, dropped, substitute) => {
  const sheets = globSync("_astro/*.css", { cwd: site.outDir }).map(read).join("");
  expect(substitute === null ? !dropped.test(sheets) : substitute.test(sheets)).toBe(true);
});

test("JSON-LD parses on every page, and a quote's has the words of the page", () => {
  // Plain text has no marks of direction: they would turn the words of a search result round.
  const plain = (words: string): string => words.replace(/[\u202A-\u202E\u2066-\u2069]/g, "");
  const text = new Map(quotes.map((quote) => [quote.id, plain(quote.text ?? "")]));
  for (const page of pages.filter((path) => path.endsWith("index.html"))) {
    const html = read(page);
    for (const [, block = ""] of html.matchAll(
      /<script type="application\/ld\+json">(.*?)<\/script>/gs,
    )) {
      const graph = (JSON.parse(block) as { "@graph": Record<string, unknown>[] })["@graph"];
      const quotation = graph.find((thing) => thing["@type"] === "Quotation");
      const id = Number(/^quote\/(\d+)\//.exec(page)?.[1]);
      if (!Number.isNaN(id)) expect(quotation?.["text"]).toBe(text.get(id));
      const list = graph.find((thing) => thing["@type"] === "ItemList");
      const shown = html.match(/<article class="quote"/g) ?? [];
      if (list !== undefined) expect(list["itemListElement"]).toHaveLength(shown.length);
    }
  }
});

test("every page has Open Graph tags, text intact", () => {
  // A page to embed is shown in a frame, and its canonical address is the quote's.
  for (const page of pages.filter((path) => /^(?!embed).*index\.html$/.test(path))) {
    const html = read(page);
    for (const key of ["og:title", "og:description", "og:url", "og:site_name"]) {
      expect(html, page).toContain(`<meta property="${key}" content="`);
    }
  }
  const [, title = ""] =
    /og:title" content="([^"]*)"/.exec(read("tag/script-img-src-x-onerror-alert-1/index.html")) ??
    [];
  expect(textOf(title)).toBe(SCRIPT_TEXT);
});
