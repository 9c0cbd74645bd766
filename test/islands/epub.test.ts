/** The book of favourites: what readers of EPUB demand, in all scripts, whatever the quotes say. */
import { unzipSync, strFromU8 } from "fflate";
import { expect, test } from "vitest";
import { childrenOf, textOf, type Element } from "../../src/audit/files/xml.ts";
import { makeEpub } from "../../src/islands/favourites/epub.ts";
import { HOSTILE } from "../support/snapshot/index.ts";
import { rootOf } from "../support/xml.ts";

const WORDS = {
  title: "Favourites & <more>",
  lang: "en",
  dir: "ltr",
  contents: "Contents",
  thanks: { text: "Quotes from a service", url: "https://thanks.example/?a=1&b=2" },
} as const;
const IMPRINT = {
  now: new Date("2026-11-22T10:00:00Z"),
  id: "00000000-0000-4000-8000-000000000000",
};

const kept = (pk: number, quote: string, lang: string, dir: "ltr" | "rtl" = "ltr") => ({
  pk,
  quote,
  author: `${quote.slice(0, 20)}'s`,
  lang,
  dir,
  path: `/quote/${pk}/`,
});

const SENT = [
  kept(1, "All human beings are born free.", "en"),
  kept(2, "يولد جميع الناس أحراراً", "ar", "rtl"),
  kept(3, "כל בני האדם נולדו בני חורין", "he", "rtl"),
  kept(4, "সমস্ত মানুষ স্বাধীনভাবে", "bn"),
  { ...kept(5, "two\nlines", "en"), path: "/quote/5/?a=1&b=2" },
  kept(6, "Of no language.", "und"),
  ...HOSTILE.map((text, index) => kept(10 + index, text, '"><script>')),
  kept(30, "a bell \u0007, a NUL \u0000, \uFFFE and half a pair \uD83D", ""),
];

const book = makeEpub(SENT, WORDS, "https://q.example/sub/", IMPRINT);
const files = Object.fromEntries(
  Object.entries(unzipSync(book)).map(([name, bytes]) => [name, strFromU8(bytes)]),
);

function* within(element: Element): Generator<Element> {
  yield element;
  for (const child of childrenOf(element)) yield* within(child);
}
const all = (file: string, name: string) =>
  [...within(rootOf(files[file] ?? ""))].filter((element) => element.name === name);

test("the first entry says what the file is, stored as it is", () => {
  // Of a zip entry (APPNOTE 4.3.7): method at 8, lengths of name and extra field at 26 and 28, the name from 30.
  const view = new DataView(book.buffer, book.byteOffset);
  expect(view.getUint16(8, true)).toBe(0);
  expect(view.getUint16(28, true)).toBe(0);
  expect(strFromU8(book.subarray(30, 58))).toBe("mimetypeapplication/epub+zip");
});

test("the container leads to a package that names every file, and reads each chapter once", () => {
  const [root] = all("META-INF/container.xml", "rootfile");
  expect(root?.attribs["full-path"]).toBe("book/content.opf");
  const items = all("book/content.opf", "item").map(({ attribs }) => attribs);
  const named = items.map(({ href }) => `book/${href ?? ""}`);
  const outside = ["mimetype", "META-INF/container.xml", "book/content.opf"];
  expect([...named, ...outside].sort()).toEqual(Object.keys(files).sort());
  expect(items.filter(({ properties }) => properties === "nav")).toHaveLength(1);
  const read = all("book/content.opf", "itemref").map(({ attribs }) => attribs["idref"]);
  expect(read).toEqual(items.flatMap(({ id = "" }) => (/^c\d/.test(id) ? [id] : [])));
  expect(all("book/content.opf", "dc:language").map(textOf)).toEqual(["en", "ar", "he", "bn"]);
  expect(all("book/content.opf", "dc:title").map(textOf)[0]).toBe(WORDS.title);
  const [modified] = all("book/content.opf", "meta");
  expect(modified && textOf(modified)).toBe("2026-11-22T10:00:00Z");
});

test("the contents lead to every chapter, by the name of its language; quotes of none have the book's", () => {
  const chapters = Object.keys(files).filter((file) => file.includes("chapter"));
  const names = ["English", "Arabic", "Hebrew", "Bangla", WORDS.title];
  expect(all("book/nav.xhtml", "a").map(textOf)).toEqual(names);
  const links = all("book/nav.xhtml", "a").map(({ attribs }) => attribs["href"]);
  expect(links).toEqual(chapters.map((file) => file.slice("book/".length)));
});

test("every quote is in it as it is, in its own direction, and nothing that it says is markup", () => {
  const chapters = Object.keys(files).filter((file) => file.includes("chapter"));
  const quotes = chapters.flatMap((file) => all(file, "section"));
  expect(quotes).toHaveLength(SENT.length);
  const texts = quotes.map((section) => {
    const paragraph = [...within(section)].find(({ name }) => name === "p");
    return paragraph && textOf(paragraph);
  });
  for (const { quote } of SENT.slice(0, -1)) expect(texts).toContain(quote);
  expect(texts).toContain("a bell , a NUL ,  and half a pair \uFFFD");
  expect(chapters.flatMap((file) => [...all(file, "script"), ...all(file, "img")])).toEqual([]);
  const arabic = quotes.find(({ attribs }) => attribs["lang"] === "ar");
  expect(arabic?.attribs).toMatchObject({ dir: "rtl", "xml:lang": "ar" });
  const links = chapters.flatMap((file) => all(file, "a").map(({ attribs }) => attribs["href"]));
  expect(links).toContain("https://q.example/sub/quote/2/");
  expect(links).toContain(WORDS.thanks.url);
});

test("a book of quotes from right to left is turned from right to left", () => {
  const turned = (quotes: typeof SENT) => {
    const text = unzipSync(makeEpub(quotes, WORDS, "https://q.example/", IMPRINT))[
      "book/content.opf"
    ];
    return /page-progression-direction="(\w+)"/.exec(strFromU8(text ?? new Uint8Array()))?.[1];
  };
  expect(turned(SENT)).toBe("ltr");
  expect(turned(SENT.filter(({ dir }) => dir === "rtl"))).toBe("rtl");
});

test("a long title has several lines on the cover, between its rules", () => {
  const title = `What I keep for rainy days · ${"x".repeat(30)}`;
  const files = unzipSync(makeEpub(SENT, { ...WORDS, title }, "https://q.example/", IMPRINT));
  const svg = strFromU8(files["book/cover.svg"] ?? new Uint8Array());
  const lines = [...svg.matchAll(/<text [^>]*y="(\d+)">([^<]*)</g)].map(([, y, text]) => [y, text]);
  expect(lines.map(([, text]) => text)).toEqual([
    ...["What I keep for", "rainy days", "x".repeat(20), "x".repeat(10)],
  ]);
  expect(lines.at(-1)?.[0]).toBe("1120");
  expect(svg).toContain('d="M150 600h900M150 1240h900"');
});

test("a library shows its authors and a cover, and knows that it can be read aloud", () => {
  const creators = all("book/content.opf", "dc:creator").map(textOf);
  expect(creators).toHaveLength(13);
  expect(creators[0]).toBe("All human beings are's");
  expect(new Set(creators).size).toBe(creators.length);
  const covers = all("book/content.opf", "item").filter(
    ({ attribs }) => attribs["properties"] === "cover-image",
  );
  expect(covers.map(({ attribs }) => attribs["href"])).toEqual(["cover.svg"]);
  expect(all("book/cover.svg", "text").map(textOf)).toEqual([WORDS.title]);
  const said = all("book/content.opf", "meta").map(
    (meta) => `${meta.attribs["property"]} ${textOf(meta)}`,
  );
  expect(said).toContain("schema:accessMode textual");
  expect(said).toContain("schema:accessibilityFeature tableOfContents");
  expect(said).toContain("schema:accessibilityHazard none");
});
