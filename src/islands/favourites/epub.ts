/**
 * Makes an EPUB 3 book of favourites in the browser. Each language is a chapter with its own direction.
 *
 * @see https://www.w3.org/TR/epub-33/
 */
import { strToU8, zipSync } from "fflate";
import { beginsWithMark } from "../../contract/quotation-marks.ts";
import { cleanText, escapeHtml } from "../../util/text.ts";
import { bookStyle } from "./epub-style.ts";
import type { Favourite } from "./store.ts";

export interface EpubWords {
  readonly title: string;
  /** Language of the site, BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly contents: string;
  /** Attribution of the quotes; null where none is required. */
  readonly thanks: { readonly text: string; readonly url: string } | null;
}

/** Matches every tag but `und`, which means no language. */
const LANGUAGE = /^(?!und$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;

/** Authors that the package names, at most. */
const MOST_CREATORS = 20;

/** The book is text with a table of contents, and nothing in it moves or sounds. */
const ACCESSIBILITY = [
  ["accessMode", "textual"],
  ["accessModeSufficient", "textual"],
  ["accessibilityFeature", "structuralNavigation"],
  ["accessibilityFeature", "tableOfContents"],
  ["accessibilityFeature", "readingOrder"],
  ["accessibilityFeature", "displayTransformability"],
  ["accessibilityHazard", "none"],
]
  .map(([name, value]) => `<meta property="schema:${name}">${value}</meta>`)
  .join("\n");

/**
 * @param base absolute address of the site, with a trailing slash
 * @param now modification time of the book
 * @param id identifier of the book, a UUID
 * @returns the bytes of the file
 */
export function makeEpub(
  kept: readonly Favourite[],
  words: EpubWords,
  base: string,
  { now, id }: { readonly now: Date; readonly id: string },
): Uint8Array<ArrayBuffer> {
  const { title, lang, dir, contents, thanks } = words;
  const byLanguage = Map.groupBy(kept, (quote) => (LANGUAGE.test(quote.lang) ? quote.lang : ""));
  const chapters = Array.from(byLanguage, ([own, quotes], index) => ({
    ...{ id: `c${index + 1}`, file: `chapter-${index + 1}.xhtml`, quotes },
    name: escaped(own === "" ? title : nameOf(own, lang)),
    own: own === "" ? "" : ` lang="${own}" xml:lang="${own}"`,
  }));
  const tags = new Set([lang, ...byLanguage.keys()].filter((tag) => tag !== ""));
  const languages = Array.from(tags, (tag) => `<dc:language>${tag}</dc:language>`);
  const creators = Array.from(
    new Set(kept.map(({ author }) => escaped(author).trim()).filter(Boolean)),
  )
    .slice(0, MOST_CREATORS)
    .map((author) => `<dc:creator>${author}</dc:creator>`);
  const rightToLeft = kept.filter((quote) => quote.dir === "rtl").length * 2 > kept.length;
  const page = (name: string, body: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}" dir="${dir}">
<head><title>${name}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>`;
  const section = (own: string, { quote, author, source, dir, path, note }: Favourite): string =>
    `<section${own} dir="${dir}"><blockquote><p${beginsWithMark(quote) ? ' class="marked"' : ""}>${escaped(quote)}</p></blockquote>` +
    `<p>— <a href="${escaped(new URL(path.slice(1), base).href)}"><bdi>${escaped(author)}</bdi></a>${source ? `, <bdi>${escaped(source)}</bdi>` : ""}</p>${note ? `<p class="note" dir="auto">${escaped(note)}</p>` : ""}</section>`;
  const end = thanks && `<p><a href="${escaped(thanks.url)}">${escaped(thanks.text)}</a></p>`;
  const files = {
    "META-INF/container.xml": CONTAINER,
    "book/content.opf": `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${lang}" dir="${dir}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${id}</dc:identifier>
<dc:title>${escaped(title)}</dc:title>
${creators.join("\n")}
${languages.join("\n")}
<meta property="dcterms:modified">${now.toISOString().slice(0, 19)}Z</meta>
${ACCESSIBILITY}
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="cover" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>
<item id="style" href="style.css" media-type="text/css"/>
${chapters.map(({ id, file }) => `<item id="${id}" href="${file}" media-type="application/xhtml+xml"/>`).join("\n")}
</manifest>
<spine page-progression-direction="${rightToLeft ? "rtl" : "ltr"}">
${chapters.map(({ id }) => `<itemref idref="${id}"/>`).join("\n")}
</spine>
</package>`,
    "book/nav.xhtml": page(
      escaped(contents),
      `<nav epub:type="toc" id="toc"><h1>${escaped(contents)}</h1><ol>${chapters
        .map(({ file, name }) => `<li><a href="${file}">${name}</a></li>`)
        .join("")}</ol></nav>`,
    ),
    "book/style.css": bookStyle(byLanguage.keys()),
    "book/cover.svg": coverOf(title, lang, dir),
    ...Object.fromEntries(
      chapters.map(({ file, name, own, quotes }) => {
        const sections = quotes.map((quote) => section(own, quote)).join("\n");
        return [`book/${file}`, page(name, `<h1>${name}</h1>\n${sections}\n${end ?? ""}`)];
      }),
    ),
  };
  const packed = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // The first entry identifies the file type, and must not be compressed.
  const mimetype = [strToU8("application/epub+zip"), { level: 0 }] as const;
  return zipSync({ mimetype: [...mimetype], ...Object.fromEntries(packed) }, { mtime: now });
}

/** The picture of the book in a library: the title between two rules. */
function coverOf(title: string, lang: string, dir: string): string {
  const parts = title.split(" · ").flatMap(linesOf);
  const lines = parts.map(
    (line, at) => `<text x="600" y="${760 + at * 120}">${escaped(line)}</text>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1800" viewBox="0 0 1200 1800" xml:lang="${lang}" direction="${dir}">
<rect width="1200" height="1800" fill="#faf7f0"/>
<path d="M150 600h900M150 ${760 + lines.length * 120}h900" stroke="#8c2f1b" stroke-width="6"/>
<g font-family="serif" font-size="84" text-anchor="middle" fill="#221d17">${lines.join("")}</g>
</svg>`;
}

/** Letters of a line of the cover. */
const COVER_LINE = 20;

/** Cuts a text into lines of whole words; a longer word is cut. */
function linesOf(text: string): string[] {
  const words = text.split(/\s+/u).flatMap((word) => {
    const letters = [...word];
    const parts = Math.ceil(letters.length / COVER_LINE);
    return Array.from({ length: parts }, (_, at) =>
      letters.slice(at * COVER_LINE, (at + 1) * COVER_LINE).join(""),
    );
  });
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && [...longer].length <= COVER_LINE) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** The name of a language, or the code itself where the browser refuses it. */
function nameOf(code: string, lang: string): string {
  try {
    return new Intl.DisplayNames([lang], { type: "language" }).of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** An imported file of favourites may have characters that XML excludes. */
function escaped(text: string): string {
  return escapeHtml(cleanText(text));
}
