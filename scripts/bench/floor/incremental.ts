/**
 * `node incremental.ts CORPUS OUT KEYS`: the floor of a nightly build. It writes only the pages whose digest differs from
 * the one in the file KEYS.
 */
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { load, modelOf, type Quote } from "./model.ts";
import { pagesOf } from "./pages.ts";

const [corpus = "", out = "", keys = ""] = process.argv.slice(2);
const before = new Map<string, string>(
  existsSync(keys) ? (JSON.parse(readFileSync(keys, "utf8")) as [string, string][]) : [],
);
const digests = new Map<Quote, string>();
const quotes = load(corpus, (line, quote) => digests.set(quote, hash("md5", line, "base64")));
const model = modelOf(quotes);
const after = new Map<string, string>();
let rendered = 0;
for (const page of pagesOf(model)) {
  const shown = page.quotes.map((quote) => digests.get(quote));
  const key = hash("md5", page.facts() + shown.join(""), "base64");
  after.set(page.path, key);
  if (before.get(page.path) === key) continue;
  mkdirSync(out + page.path, { recursive: true });
  writeFileSync(`${out}${page.path}index.html`, page.html());
  rendered++;
}
for (const path of before.keys()) {
  if (!after.has(path)) rmSync(`${out}${path}index.html`, { force: true });
}
writeFileSync(keys, JSON.stringify([...after]));
console.log(JSON.stringify({ pages: after.size, rendered }));
