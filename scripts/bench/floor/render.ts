/** `node render.ts CORPUS OUT`: the floor of a full build, one thread, from memory. `QUOTE_PAGES=1` adds a page a quote. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cardOf } from "./markup.ts";
import { load, modelOf } from "./model.ts";
import { pagesOf, remembered } from "./pages.ts";

const [corpus = "", out = ""] = process.argv.slice(2);
const model = modelOf(load(corpus));
let pages = 0;
let bytes = 0;
for (const { path, html } of pagesOf(
  model,
  remembered(cardOf),
  process.env["QUOTE_PAGES"] === "1",
)) {
  const content = Buffer.from(html());
  mkdirSync(out + path, { recursive: true });
  writeFileSync(`${out}${path}index.html`, content);
  pages++;
  bytes += content.length;
}
console.log(JSON.stringify({ pages, bytes }));
