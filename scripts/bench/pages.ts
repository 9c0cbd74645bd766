/** `npm run bench -- pages`: how much a reader downloads, by kind of page and by kind of file. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { measure, SITE } from "./measure.ts";
import { median } from "./table.ts";
import { makeWorkspace } from "./workspace.ts";

/** Pages of a kind that are weighed; compressing all of them would take minutes. */
const SAMPLE = 50;

export async function benchPages(quotes: number): Promise<void> {
  using workspace = makeWorkspace(quotes);
  await workspace.publish(0);
  const out = join(workspace.folder, "out");
  await measure(SITE, ["default", workspace.state, out]);
  const files = readdirSync(out, { recursive: true, encoding: "utf8" }).sort();
  const kinds = Map.groupBy(files, kindOf);
  kinds.delete(null);
  console.log(
    `\nWeight of pages, ${quotes} quotes, default theme; bytes, median and largest of a sample`,
  );
  console.table(
    Object.fromEntries(
      [...kinds].sort().map(([kind, names]) => [kind, weigh(names.map((name) => join(out, name)))]),
    ),
  );
}

/** Null for a folder. */
function kindOf(file: string): string | null {
  const extension = extname(file);
  if (extension === "") return null;
  if (extension !== ".html") return `*${extension}`;
  const [first = "", second] = file.split("/");
  return second === undefined ? `/${first}` : `/${first}/`;
}

function weigh(files: readonly string[]): Record<string, number> {
  const step = Math.max(1, Math.floor(files.length / SAMPLE));
  const sample = files.filter((_, index) => index % step === 0).map((file) => readFileSync(file));
  return {
    files: files.length,
    plain: median(sample.map(({ length }) => length)),
    largest: Math.max(...sample.map(({ length }) => length)),
    gzip: median(sample.map((bytes) => gzipSync(bytes).length)),
    brotli: median(sample.map((bytes) => brotliCompressSync(bytes).length)),
  };
}
