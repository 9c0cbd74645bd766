/** Reads a finished site from its files alone. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { BuildReport } from "../../src/report/run-report.ts";
import { isRedirect } from "../support/built/index.ts";
import { filesIn } from "../support/run/index.ts";

export interface SiteRead {
  readonly build: BuildReport;
  /** Text by key, from the pages that quotes have of their own. */
  readonly quotes: ReadonlyMap<number, string>;
  /** How often a quote occurs in the listings of a kind. */
  readonly listed: Readonly<Record<"author" | "language" | "tag", ReadonlyMap<number, number>>>;
  /** What the home page calls the age of its data, ISO 8601. */
  readonly dataAsOf: string | undefined;
  readonly stale: boolean;
  /** Every byte of it as text, compressed files unpacked. */
  readonly everything: string;
}

const pathsIn = (folder: string): string[] =>
  existsSync(folder) ? filesIn(folder).map((name) => join(folder, name)) : [];

/** One digest of every name and every byte. */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const path of pathsIn(folder)) {
    const bytes = readFileSync(path);
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

export function halfPages(folder: string): string[] {
  return pathsIn(folder).filter(
    (path) =>
      path.endsWith(".html") &&
      !/<\/html>\s*$/.test(readFileSync(path, "utf8")) &&
      !isRedirect(path),
  );
}

const ARTICLE =
  /<article class="quote[^>]*\bdata-pk="(\d+)"[^>]*>[\s\S]*?<blockquote[^>]*>([\s\S]*?)<\/blockquote>/g;

function readArticles(html: string): [pk: number, text: string][] {
  return [...html.matchAll(ARTICLE)].map(([, pk, text = ""]) => [
    Number(pk),
    text.replace(/<[^>]*>/g, "").trim(),
  ]);
}

export function readSite(folder: string): SiteRead {
  const quotes = new Map<number, string>();
  const listed = { author: new Map(), language: new Map(), tag: new Map() } as Record<
    "author" | "language" | "tag",
    Map<number, number>
  >;
  const everything: string[] = [];
  for (const name of filesIn(folder)) {
    const bytes = readFileSync(join(folder, name));
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = (packed ? gunzipSync(bytes) : bytes).toString("utf8");
    // Fonts and the search engine itself hold no quote.
    if (!/\.(?:woff2?|wasm|png|jpg|webp)$/.test(name)) everything.push(name, text);
    const [, kind, id] = /^(quote|author|language|tag)\/([^/]+)\/.*index\.html$/.exec(name) ?? [];
    if (kind === "quote") {
      const own = readArticles(text).find(([pk]) => pk === Number(id));
      if (own !== undefined) quotes.set(...own);
    } else if (kind !== undefined) {
      const counts = listed[kind as keyof typeof listed];
      for (const [pk] of readArticles(text)) counts.set(pk, (counts.get(pk) ?? 0) + 1);
    }
  }
  const home = readFileSync(join(folder, "index.html"), "utf8");
  return {
    build: JSON.parse(readFileSync(join(folder, "build.json"), "utf8")) as BuildReport,
    quotes,
    listed,
    dataAsOf: /class="sum"[^]*?<time datetime="(\d{4}-\d\d-\d\d)"/.exec(home)?.[1],
    stale: home.includes('class="stale"'),
    everything: everything.join("\n"),
  };
}
