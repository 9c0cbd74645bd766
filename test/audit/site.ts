/** A small finished site in a temporary folder, with a place for each fault an audit must find. */
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { ALLOW_NOTHING } from "../../src/contract/allow.ts";
import { auditSite, type AuditOptions, type AuditReport } from "../../src/audit/audit.ts";
import { lineOf } from "../../src/audit/finding.ts";
import type { PageToAudit } from "../../src/audit/page/rules.ts";
import { filesBelow } from "../../src/files/walk.ts";
import { fileOf } from "../../src/plan/index.ts";
import { tempFolder } from "../support/run/index.ts";
import { OTHER_FILES, ORIGIN } from "./other-files.ts";

export const ATTRIBUTION = "https://service.example/";

export const quote = (id: number): string =>
  `<article class="quote" id="q${id}" data-pk="${id}" lang="en" dir="ltr"><blockquote>&lt;a id="x"></blockquote></article>`;

export const FOOTER = `<footer><a data-attribution href="${ATTRIBUTION}">Quotes from a service</a></footer>`;

/** A policy that knows the scripts and styles of this markup. */
export function policyFor(markup: string): string {
  const digests = markup
    .matchAll(/<(?:script(?! type="application)|style)[^>]*>(.+?)<\/(?:script|style)>/gs)
    .map(([, content = ""]) => ` 'sha256-${hash("sha256", content, "base64")}'`)
    .toArray()
    .join("");
  const code = ["script", "style"].map((name) => `;${name}-src 'self'${digests}`);
  const policy = `default-src 'self';base-uri 'self';form-action 'self'${digests === "" ? "" : code.join("")}`;
  return `<meta http-equiv="content-security-policy" content="${policy}">`;
}

export const POLICY = policyFor("");

export const page = (body: string, footer = FOOTER, head = ""): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${policyFor(body + footer + head)}<title><a></title><link rel="stylesheet" href="/a.css">${head}</head>` +
  `<body><a href="#main">Skip</a><main id="main"><h1>A page</h1>${body}</main>${footer}</body></html>`;

const BUDGET = { html: 2_000, css: 100, js: 100, fonts: 100 };

const PLANNED: Readonly<Record<string, readonly number[] | null>> = {
  "/": null,
  "/404.html": null,
  "/tag/love/": [1, 2],
  "/tag/love/2/": [3],
  "/author/т/": [1, 2, 3],
};

const GOOD: Readonly<Record<string, string | Buffer>> = {
  ...OTHER_FILES,
  "a.css": "",
  "index.html": page(`${quote(2)}<a href="/tag/love/#q2">a</a><a href="/author/%D1%82/">b</a>`),
  "404.html": page("", FOOTER, '<meta name="robots" content="noindex">'),
  "tag/love/index.html": page(`${quote(1)}${quote(2)}<a href="/tag/love/2/">Next</a>`),
  "tag/love/2/index.html": page(`${quote(3)}<a href="/tag/love/">Previous</a>`),
  "author/т/index.html": page(`${quote(1)}${quote(2)}${quote(3)}`),
};

export const PAGES: readonly PageToAudit[] = Object.entries(PLANNED).map(([path, quotes]) => ({
  path,
  file: fileOf(path),
  quotes,
  langs: ["en"],
  budget: BUDGET,
  unlisted: path === "/404.html",
  kind: path === "/404.html" ? "notFound" : "page",
}));

export type Files = Readonly<Record<string, string | Buffer | null>>;

/** Where the small site lies, and the folder that remembers its audits. */
export interface SmallSite {
  readonly outDir: string;
  readonly stateDir: string;
}

/** Writes the good site with some of its files replaced; a file that is null is left out. Others are removed. */
export function writeSite(
  files: Files = {},
  { outDir, stateDir }: SmallSite = { outDir: tempFolder("dist"), stateDir: tempFolder("audits") },
): SmallSite {
  const site = new Map<string, string | Buffer>();
  for (const [file, content] of Object.entries({ ...GOOD, ...files })) {
    if (content !== null) site.set(file, content);
  }
  for (const file of [...filesBelow(outDir)]) if (!site.has(file)) rmSync(join(outDir, file));
  // Says the truth, unless a test says otherwise.
  if (files["build.json"] === undefined) site.set("build.json", reportOn(site));
  for (const [file, content] of site) {
    const path = join(outDir, file);
    const before = existsSync(path) ? readFileSync(path) : null;
    if (before?.equals(Buffer.from(content)) === true) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return { outDir, stateDir };
}

/** Audits the small site as it is, reading what changed since its last audit. */
export function auditAgain(
  site: SmallSite,
  options: Partial<AuditOptions> = {},
): Promise<AuditReport> {
  return auditSite({
    ...site,
    origin: ORIGIN,
    base: "/",
    attribution: ATTRIBUTION,
    pages: PAGES,
    mayHave: () => false,
    menu: ["/", "/tag/love/?a#q1", "https://x.example/"],
    mayAsk: [],
    service: null,
    allow: ALLOW_NOTHING,
    secrets: [],
    ...options,
  });
}

let compared: SmallSite | undefined;

/**
 * Audits the good site after some of its files were replaced: what changed since its last audit, then everything. Both find the same.
 */
export async function auditWith(
  files: Files = {},
  options: Partial<AuditOptions> = {},
): Promise<AuditReport> {
  // A worker may run the tests of many files, and each removes its folders at its end.
  if (compared === undefined || !existsSync(compared.outDir)) {
    await auditAgain((compared = writeSite()));
  }
  writeSite(files, compared);
  const partial = await auditAgain(compared, options);
  const full = await auditAgain(compared, { ...options, all: true });
  expect(foundIn(partial), "what changed").toEqual(foundIn(full));
  return full;
}

/** All that a report says, but how much was read for it; findings come in the order in which threads end. */
function foundIn({ findings, unchanged: _, ...report }: AuditReport): object {
  return { ...report, findings: findings.map(lineOf).sort() };
}

/** @param lies what it says instead */
export function reportOn(site: ReadonlyMap<string, string | Buffer>, lies: object = {}): string {
  const bytes = [...site.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  const pages = { page: 4, notFound: 1 };
  return JSON.stringify({ files: site.size, bytes, pages, ...lies });
}

export const goodSite = (): ReadonlyMap<string, string | Buffer> => new Map(Object.entries(GOOD));
