/** A page whose key did not change is not touched; what changed, came, went or was lost is written and listed. */
// @module-tag sized
import { readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { CAN_LINK, emptyFiles, folderWith } from "../support/run/index.ts";
import { drawn } from "../support/tier.ts";
import { addressOf, contentOf, datesOf, differences, Fork, someLines } from "./support.ts";

const fork = new Fork(someLines(12));

beforeAll(async () => {
  expect(await fork.build()).toMatchObject({ status: 0, stderr: "" });
});

test("pages that changed are written, those that are gone are removed, and both are listed", async () => {
  fork.write("public/gone.txt", "Soon gone.");
  expect((await fork.build()).report?.changes).toEqual({ added: 1, changed: 0, removed: 0 });
  rmSync(join(fork.root, "public/gone.txt"));
  const before = datesOf(fork.outDir);
  const [, ...lines] = someLines(13);
  fork.setLines(lines.map((line) => (line.id === 12 ? { ...line, text: "Other words." } : line)));
  await fork.build();
  const fresh = join(fork.root, "fresh");
  // And without threads: the bytes are the same.
  await fork.build({ outDir: fresh, stateDir: join(fork.folder, "fresh-state"), bulk: [] });
  expect(differences(contentOf(fork.outDir), contentOf(fresh))).toEqual([]);

  const after = datesOf(fork.outDir);
  const touched = Object.keys(after).filter((file) => after[file] !== before[file]);
  const gone = Object.keys(before).filter((file) => !(file in after));
  const listed = fork.changes();
  const paths = (word: string): string[] =>
    listed.filter((line) => line.startsWith(word)).map((line) => line.split(" ")[1] ?? "");
  expect([...paths("added"), ...paths("changed")].sort()).toEqual(touched.map(addressOf).sort());
  expect(paths("removed").sort()).toEqual(gone.map(addressOf).sort());
  expect(gone).toContain("gone.txt");
  expect(gone).toContain("quote/1/index.html");
  expect(touched).toContain("quote/12/index.html");
  expect(touched).not.toContain("quote/2/index.html");
});

test.skipIf(!CAN_LINK)(
  "a page that was deleted, written over or linked elsewhere is restored, and not called changed",
  async () => {
    const before = contentOf(fork.outDir);
    const page = (id: number): string => join(fork.outDir, `quote/${id}/index.html`);
    const outside = join(fork.folder, "outside.html");
    writeFileSync(outside, "Another program's.");
    unlinkSync(page(3));
    writeFileSync(page(4), "<p>Not ours.</p>");
    unlinkSync(page(5));
    symlinkSync(outside, page(5));
    unlinkSync(join(fork.outDir, "index.html"));
    symlinkSync(outside, join(fork.outDir, "index.html"));
    const { report, stderr } = await fork.build();
    expect(stderr).toBe("");
    expect(differences(contentOf(fork.outDir), before)).toEqual([]);
    expect(readFileSync(outside, "utf8")).toBe("Another program's.");
    expect(report?.changes).toEqual({ added: 0, changed: 0, removed: 0 });
  },
);

test("an output folder that was lost comes back with the dates of its pages, and nothing is called changed", async () => {
  const content = contentOf(fork.outDir);
  const dates = datesOf(fork.outDir);
  rmSync(fork.outDir, { recursive: true });
  const { report } = await fork.build();
  expect(differences(contentOf(fork.outDir), content)).toEqual([]);
  expect(report?.changes).toEqual({ added: 0, changed: 0, removed: 0 });
  const seconds = (date: bigint | undefined): bigint => (date ?? 0n) / 1_000_000_000n;
  const restored = datesOf(fork.outDir);
  for (const file of ["tag/all/index.html", "index.html", "robots.txt"]) {
    expect(seconds(restored[file])).toBe(seconds(dates[file]));
  }
});

test("when the state was lost nothing is written anew, and files of an earlier build go", async () => {
  fork.write("public/feeds/all/feed.xml", "<feed/>");
  await fork.build();
  const before = datesOf(fork.outDir);
  const others = ["report.pdf", "other/report.pdf"];
  const stray = ["stray.html", "_astro/stray.css", "feeds/stray/feed.json"];
  folderWith(emptyFiles(...stray, ...others), fork.outDir);
  rmSync(fork.stateDir, { recursive: true });
  const { report } = await fork.build();
  const after = Object.entries(datesOf(fork.outDir));
  expect(after.map(([file]) => file)).toEqual(expect.arrayContaining(others));
  expect(Object.fromEntries(after.filter(([file]) => !others.includes(file)))).toEqual(before);
  expect(report).toMatchObject({ written: 0 });
});

const SETTINGS: readonly (readonly [what: string, from: string, to: string, anew: boolean])[] = [
  ["the threads", "threads: 2", "threads: 3", false],
  ["a setting that pages read", 'key: ""', 'key: "another"', true],
  ["the policy", "csp: true", `csp: { directives: ["img-src 'self'"] }`, true],
  ["the languages", "fetchFile: null", '$&, i18n: { locales: ["en"], defaultLocale: "en" }', true],
];

test.each(drawn(SETTINGS, 2))(
  "%s in astro.config.mjs, %s becoming %s: every page is made anew: %s",
  async (_, from, to, anew) => {
    fork.edit("astro.config.mjs", from, to);
    const { report } = await fork.build();
    expect(report?.rendered === report?.pages).toBe(anew);
  },
);

test.each(drawn(["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"], 1))(
  "with other packages in %s every page is made anew",
  async (name) => {
    fork.write(name, "other packages");
    const { report } = await fork.build();
    expect(report?.rendered).toBe(report?.pages);
  },
);

test(
  "a page, a file or a redirect that Astro no longer writes is removed",
  { tags: "long" },
  async () => {
    const answers = (body: string): void => {
      fork.write("src/pages/now.txt.ts", `export const GET = () => new Response(${body});\n`);
      fork.write("src/pages/now.astro", `---\nreturn new Response(${body});\n---\n`);
    };
    answers('"Some."');
    fork.edit("astro.config.mjs", "integrations: [", 'redirects: { "/old": "/book/" },\n  $&');
    await fork.build();
    expect(contentOf(fork.outDir)).toMatchObject({
      "now.txt": "Some.",
      "now/index.html": "Some.",
      "old/index.html": expect.any(String) as string,
    });
    answers("null");
    fork.edit("astro.config.mjs", 'format: "directory"', "$&, redirects: false");
    expect((await fork.build()).report?.changes).toMatchObject({ removed: 3 });
    const files = Object.keys(contentOf(fork.outDir));
    expect(files.filter((file) => /^(?:now|old)/.test(file))).toEqual([]);
  },
);

test(
  "pictures that trade places are on the pages anew, and the order in which they load makes no difference",
  { tags: "long" },
  async () => {
    const page = "src/pages/tag/[slug]/[...page].astro";
    const [red = "", blue = ""] = await Promise.all(["red", "blue"].map(pixel));
    fork.write("src/a/dot.png", red);
    fork.write("src/b/dot.png", blue);
    fork.edit(page, "---\n", `---\n${["a", "b"].map(importOf).join("")}`);
    fork.edit(page, "<h1>", '<img src={a.src} alt="" /><img src={b.src} alt="" /><h1>');
    fork.edit("astro.config.mjs", "defineConfig({", `$&\n  vite: { plugins: [${LOADED_FIRST}] },`);
    await fork.build({ env: { FIRST: "src/a/dot.png" } });
    const { report } = await fork.build({ env: { FIRST: "src/b/dot.png" } });
    expect(report?.rendered).toBeLessThan(report?.pages ?? 0);
    const before = contentOf(fork.outDir)["tag/all/index.html"];
    fork.write("src/a/dot.png", blue);
    fork.write("src/b/dot.png", red);
    await fork.build({ env: { FIRST: "src/b/dot.png" } });
    expect(contentOf(fork.outDir)["tag/all/index.html"]).not.toBe(before);
  },
);

const pixel = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
const importOf = (name: string): string => `import ${name} from "../../../${name}/dot.png";\n`;

/** A Vite plugin by which one file is known to the bundler before all others. */
const LOADED_FIRST = `{
  name: "loaded-first",
  async buildStart() {
    if (this.environment.name !== "prerender") return;
    const source = (await import("node:fs")).readFileSync(new URL(process.env.FIRST, import.meta.url));
    this.emitFile({ type: "asset", name: "dot.png", source });
  },
}`;
