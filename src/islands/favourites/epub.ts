/**
 * A book of favourites: EPUB 3, made in the browser. Each language is a chapter, set in its own direction.
 *
 * @see https://www.w3.org/TR/epub-33/
 */
import { strToU8, zipSync } from "fflate";
import { escapeHtml } from "../../contract/text.ts";
import type { Kept } from "./store.ts";

export interface BookWords {
  readonly title: string;
  /** Of the site, BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly contents: string;
  /** Whom the quotes come from; null where none has to be named. */
  readonly thanks: { readonly text: string; readonly url: string } | null;
}

/** For the time and the number that each book has; of the clock and of chance outside of tests. */
export interface Imprint {
  readonly now: Date;
  /** A UUID. */
  readonly id: string;
}

interface Chapter {
  readonly file: string;
  /** Empty where the language is unknown. */
  readonly lang: string;
  readonly name: string;
  readonly quotes: readonly Kept[];
}

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** Characters that XML does not have, in what a file of favourites may have brought. */
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;

const STYLE = `h1 { font-size: 1.3em; }
section { margin: 0 0 2em; page-break-inside: avoid; }
blockquote { margin: 0; font-size: 1.1em; white-space: pre-line; }
p { margin: 0.4em 0 0; }
`;

/**
 * @param base absolute address of the site, with a slash at the end
 * @returns the bytes of the file
 */
export function bookOf(
  kept: readonly Kept[],
  words: BookWords,
  base: string,
  { now, id }: Imprint,
): Uint8Array<ArrayBuffer> {
  const chapters = chaptersOf(kept, words);
  const files: Record<string, string> = {
    "META-INF/container.xml": CONTAINER,
    "book/content.opf": packageOf(chapters, words, kept, { now, id }),
    "book/nav.xhtml": contentsOf(chapters, words),
    "book/style.css": STYLE,
  };
  for (const chapter of chapters) files[`book/${chapter.file}`] = chapterOf(chapter, words, base);
  const packed = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // Readers know the file by its first entry, which must be there as it is.
  const mimetype = [strToU8("application/epub+zip"), { level: 0 }] as const;
  return zipSync({ mimetype: [...mimetype], ...Object.fromEntries(packed) }, { mtime: now });
}

function chaptersOf(kept: readonly Kept[], { lang, title }: BookWords): Chapter[] {
  const byLanguage = Map.groupBy(kept, (quote) => (LANGUAGE.test(quote.lang) ? quote.lang : ""));
  const names = new Intl.DisplayNames([lang], { type: "language" });
  return Array.from(byLanguage, ([own, quotes], index) => ({
    file: `chapter-${index + 1}.xhtml`,
    lang: own,
    name: own === "" ? title : (nameOf(names, own) ?? own),
    quotes,
  }));
}

/** A code that the browser does not take is shown as it is. */
function nameOf(names: Intl.DisplayNames, lang: string): string | undefined {
  try {
    return names.of(lang);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function packageOf(
  chapters: readonly Chapter[],
  { title, lang, dir }: BookWords,
  kept: readonly Kept[],
  { now, id }: Imprint,
): string {
  const languages = new Set([lang, ...chapters.map((chapter) => chapter.lang)]);
  languages.delete("");
  const rightToLeft = kept.filter((quote) => quote.dir === "rtl").length * 2 > kept.length;
  const items = chapters.map(
    ({ file }, index) =>
      `<item id="c${index + 1}" href="${file}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, index) => `<itemref idref="c${index + 1}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${lang}" dir="${dir}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${id}</dc:identifier>
<dc:title>${escaped(title)}</dc:title>
${[...languages].map((each) => `<dc:language>${each}</dc:language>`).join("\n")}
<meta property="dcterms:modified">${now.toISOString().slice(0, 19)}Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join("\n")}
</manifest>
<spine page-progression-direction="${rightToLeft ? "rtl" : "ltr"}">
${spine.join("\n")}
</spine>
</package>`;
}

function contentsOf(chapters: readonly Chapter[], words: BookWords): string {
  const entries = chapters.map(
    ({ file, name }) => `<li><a href="${file}">${escaped(name)}</a></li>`,
  );
  return pageOf(
    words,
    words.contents,
    `<nav epub:type="toc" id="toc"><h1>${escaped(words.contents)}</h1><ol>${entries.join("")}</ol></nav>`,
  );
}

function chapterOf({ lang, name, quotes }: Chapter, words: BookWords, base: string): string {
  const own = lang === "" ? "" : ` lang="${lang}" xml:lang="${lang}"`;
  const sections = quotes.map(
    ({ quote, author, dir, path }) =>
      `<section${own} dir="${dir}"><blockquote><p>${escaped(quote)}</p></blockquote>` +
      `<p>— <a href="${escaped(new URL(path.slice(1), base).href)}"><bdi>${escaped(author)}</bdi></a></p></section>`,
  );
  const { thanks } = words;
  const line =
    thanks === null ? "" : `<p><a href="${escaped(thanks.url)}">${escaped(thanks.text)}</a></p>`;
  return pageOf(words, name, `<h1>${escaped(name)}</h1>\n${sections.join("\n")}\n${line}`);
}

function pageOf({ lang, dir }: BookWords, title: string, body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}" dir="${dir}">
<head><title>${escaped(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>`;
}

function escaped(text: string): string {
  return escapeHtml(text.toWellFormed().replace(NOT_XML, ""));
}
