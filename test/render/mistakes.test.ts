/** Mistakes of a site end the build, name the page, and leave what was published before as it was. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DiskError } from "../../src/contract/errors.ts";
import { contentOf, differences, openBench, ROOT, someLines } from "./support.ts";

const bench = openBench(someLines(8));
afterAll(() => bench.remove());
symlinkSync(join(ROOT, "../../../node_modules"), join(bench.folder, "node_modules"));

/** The site of the tests with some of its files changed. */
function altered(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(bench.folder, name);
  cpSync(ROOT, root, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

const CARD = readFileSync(join(ROOT, "src/components/Card.astro"), "utf8");

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    "a kept component shows the page it stands on",
    { "src/components/Card.astro": CARD.replace("<cite>", "<cite title={Astro.url.pathname}>") },
    /Cannot render \/tag\/.*a component with a fragmentKey shows something its key does not name/,
  ],
  [
    "two routes make one file",
    { "src/pages/tag/all.astro": "<p>Mine.</p>", "public/tag/all/index.html": "Mine, too." },
    /Cannot render tag\/all\/index\.html .*another source makes it/,
  ],
  [
    "a page throws",
    { "src/pages/index.astro": `---\nthrow new Error("no such luck");\n---\n<p />` },
    /Cannot render \/ \(src\/pages\/index\.astro\): .*no such luck/,
  ],
  [
    "one page of many throws",
    {
      "src/components/Count.astro": `---\nif (Astro.url.pathname.includes("/7/")) throw new Error("not 7");\n---\n<i />`,
    },
    /not 7/,
  ],
  [
    "a page leads elsewhere",
    { "src/pages/index.astro": `---\nreturn Astro.redirect("/tag/all/");\n---\n` },
    /Cannot render \/ \(src\/pages\/index\.astro\): redirects are not supported/,
  ],
  [
    "a page cannot be read",
    { "src/pages/index.astro": "---\nconst = 1;\n---\n" },
    /Cannot bundle the pages/,
  ],
])("renderSite() ends when %s", async (name, files, message) => {
  const root = altered(name.replaceAll(" ", "-"), files);
  const outDir = join(root, "dist");
  await expect(bench.render({ root, outDir, stateDir: join(root, "state") })).rejects.toThrow(
    message,
  );
});

test("renderSite() leaves the site as it was when pages cannot be listed", async () => {
  await bench.render();
  const before = contentOf(bench.outDir);
  const root = altered("unlisted", { "src/pages/tag/all.astro": "<p>Mine.</p>" });
  cpSync(join(root, "src/pages/404.astro"), join(root, "src/pages/tag/all/index.astro"));
  await expect(bench.render({ root })).rejects.toThrow();
  expect(differences(contentOf(bench.outDir), before)).toEqual([]);
});

test("renderSite() follows no link out of its folder", async () => {
  await bench.render();
  const outside = join(bench.folder, "outside.html");
  writeFileSync(outside, "somebody's");
  const page = join(bench.outDir, "quote/5/index.html");
  const content = readFileSync(page, "utf8");
  rmSync(page);
  symlinkSync(outside, page);
  await bench.render();
  expect(readFileSync(outside, "utf8")).toBe("somebody's");
  expect(readFileSync(page, "utf8")).toBe(content);
});

test("renderSite() writes to no folder behind a link, and deletes from none", async () => {
  const outDir = join(bench.folder, "linked");
  const stateDir = join(bench.folder, "linked-state");
  await bench.render({ outDir, stateDir });
  const outside = join(bench.folder, "outside");
  mkdirSync(outside);
  cpSync(join(outDir, "quote"), outside, { recursive: true });
  rmSync(join(outDir, "quote"), { recursive: true });
  symlinkSync(outside, join(outDir, "quote"));
  writeFileSync(join(outside, "5/index.html"), "precious");
  const rendering = bench.render({ outDir, stateDir });
  await expect(rendering).rejects.toThrow(DiskError);
  await expect(rendering).rejects.toThrow(`Cannot use ${join(outDir, "quote")}: it is a link`);
  expect(readFileSync(join(outside, "5/index.html"), "utf8")).toBe("precious");
});

test("a page that the file system refuses is told with its name, and as a failure of the disk", async () => {
  const outDir = join(bench.folder, "refused");
  mkdirSync(outDir);
  writeFileSync(join(outDir, "quote"), "Somebody's file, where a folder is to be.");
  const rendering = bench.render({ outDir, stateDir: join(bench.folder, "refused-state") });
  await expect(rendering).rejects.toThrow(DiskError);
  await expect(rendering).rejects.toThrow(/Cannot use .*refused\/quote: it is not a folder/);
});
