/** `node render.ts CORPUS OUT`: the floor of a full build, one thread, from memory. */
import { mkdirSync, writeFileSync } from "node:fs";
import { load, modelOf } from "./model.ts";
import { pagesOf } from "./pages.ts";

const [corpus = "", out = ""] = process.argv.slice(2);
const model = modelOf(load(corpus));
let pages = 0;
let bytes = 0;
for (const { path, html } of pagesOf(model)) {
  const content = Buffer.from(html());
  mkdirSync(out + path, { recursive: true });
  writeFileSync(`${out}${path}index.html`, content);
  pages++;
  bytes += content.length;
}
console.log(JSON.stringify({ pages, bytes }));
