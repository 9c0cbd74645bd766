/** A small finished site in a temporary folder, with a place for each fault an audit must find. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { auditSite, type AuditReport } from "../../../src/release/audit/audit.ts";
import { fileOf } from "../../../src/plan/paths.ts";
import { tempFolder } from "../../support/temp-folder.ts";

export const ATTRIBUTION = "https://service.example/";

export const quote = (id: number): string =>
  `<article class="quote" id="q${id}" data-pk="${id}" lang="en" dir="ltr"><blockquote>&lt;a id="x"></blockquote></article>`;

export const FOOTER = `<footer><a data-attribution href="${ATTRIBUTION}">Quotes from a service</a></footer>`;

export const page = (body: string, footer = FOOTER): string =>
  `<!DOCTYPE html><html lang="en"><head><title><a></title><link rel="stylesheet" href="/a.css"></head>` +
  `<body><a href="#main">Skip</a><main id="main">${body}</main>${footer}</body></html>`;

const PLANNED: Readonly<Record<string, readonly number[] | null>> = {
  "/": null,
  "/404.html": null,
  "/tag/love/": [1, 2],
  "/tag/love/2/": [3],
  "/author/т/": [1, 2, 3],
};

const GOOD: Readonly<Record<string, string>> = {
  "a.css": "",
  "index.html": page(`${quote(2)}<a href="/tag/love/#q2">a</a><a href="/author/%D1%82/">b</a>`),
  "404.html": page(""),
  "tag/love/index.html": page(`${quote(1)}${quote(2)}<a href="/tag/love/2/">Next</a>`),
  "tag/love/2/index.html": page(`${quote(3)}<a href="/tag/love/">Previous</a>`),
  "author/т/index.html": page(`${quote(1)}${quote(2)}${quote(3)}`),
};

/** Audits the good site after some of its files were replaced; a file that becomes null is left out. */
export async function auditWith(
  files: Readonly<Record<string, string | null>> = {},
  attribution: string | null = ATTRIBUTION,
): Promise<AuditReport> {
  const outDir = tempFolder("dist");
  for (const [file, content] of Object.entries({ ...GOOD, ...files })) {
    if (content === null) continue;
    mkdirSync(join(outDir, dirname(file)), { recursive: true });
    writeFileSync(join(outDir, file), content);
  }
  const pages = Object.entries(PLANNED).map(([path, quotes]) => ({
    path,
    file: fileOf(path),
    quotes,
  }));
  return auditSite({
    outDir,
    origin: "https://q.example",
    base: "/",
    attribution,
    pages,
    threads: 2,
  });
}
