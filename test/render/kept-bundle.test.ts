/** A bundle is used again while nothing that it is made from changed: a change of each kind of input is noticed. */
// @module-tag sized
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AstroConfig, AstroInlineConfig } from "astro";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { digestInputs, digestModules } from "../../src/render/bundle-inputs.ts";
import type { BundleRecord } from "../../src/render/kept-bundle.ts";
import { drawn } from "../support/tier.ts";
import {
  BULK,
  CONTENT_CONFIG,
  contentOf,
  datesOf,
  differences,
  Fork,
  NOTE,
  someLines,
} from "./support.ts";

const fork = new Fork(someLines(12));
const theme = join(fork.folder, "theme");
const bundles = join(fork.stateDir, "bundle");

const PAGE = `---
import { Image } from "astro:assets";
import { word } from "dependency";
import photo from "../photo.png";
import extra from "../../extra.json";
import styles from "../box.module.css";
const parts = import.meta.glob("../../parts/*.json", { eager: true });
---
<Image src={photo} alt="" />
<p class={styles.box}>{extra.word} {word} {Object.keys(parts).length} {import.meta.env.MOTTO}</p>
`;

beforeAll(async () => {
  fork.write("src/pages/rich.astro", PAGE);
  fork.write("src/pages/story.md", "---\ntitle: Once\n---\nOnce *upon* a time.\n");
  fork.write("src/box.module.css", "@import '../extra.css'; .box { color: red }");
  fork.write("extra.css", ".extra { color: blue }");
  fork.write("extra.json", JSON.stringify({ word: "one" }));
  fork.write("parts/one.json", "{}");
  fork.write("src/middleware.ts", "export const onRequest = (_, next) => next();\n");
  fork.write("src/content.config.ts", CONTENT_CONFIG);
  fork.write("notes/first.md", "A *note*.\n");
  fork.write("src/pages/notes/[id].astro", NOTE);
  fork.write(".env", "PUBLIC_MOTTO=first\n");
  fork.write("tsconfig.json", "{}");
  fork.write("package-lock.json", "{}");
  fork.write("node_modules/dependency/index.js", 'export const word = "two";');
  fork.write("node_modules/dependency/package.json", DEPENDENCY);
  fork.write("public/plain.txt", "Plain.");
  fork.write("../theme/theme.css", "body { color: red }");
  fork.write("../theme/theme.json", "{}");
  const color = { width: 8, height: 8, channels: 3, background: "#123456" } as const;
  fork.write("src/photo.png", await sharp({ create: color }).png().toBuffer());
  fork.edit(
    "astro.config.mjs",
    "defineConfig({",
    `$&\n  ${VITE},\n  redirects: { "/old": "/book/" },`,
  );
  expect(await fork.build()).toMatchObject({ status: 0, stderr: "", report: { bundle: "made" } });
});

const DEPENDENCY = JSON.stringify({
  name: "dependency",
  version: "1.0.0",
  type: "module",
  exports: "./index.js",
});

/** Vite leaves packages out of the bundle by default. */
const VITE =
  'vite: { environments: { prerender: { resolve: { noExternal: ["dependency"] } } }, define: { WORD: "1" } }';

afterEach(() => {
  vi.unstubAllEnvs();
});

function record(): BundleRecord {
  const [key = ""] = readdirSync(bundles);
  const text = readFileSync(join(bundles, key, "bundle.json"), "utf8");
  return (JSON.parse(text) as { record: BundleRecord }).record;
}

/** A digest of everything that decides whether the bundle is used; null where none would be kept. */
async function digested(inline: AstroInlineConfig = {}): Promise<string | null> {
  const env = { REPOSITORY: join(import.meta.dirname, "../.."), BULK: JSON.stringify(BULK) };
  for (const [name, value] of Object.entries({ ...env, STATE_DIR: fork.stateDir })) {
    vi.stubEnv(name, value);
  }
  const { resolveConfig } = (await import(
    pathToFileURL(join(env.REPOSITORY, "node_modules/astro/dist/core/config/config.js")).href
  )) as { resolveConfig: (...of: unknown[]) => Promise<{ astroConfig: AstroConfig }> };
  const { astroConfig: config } = await resolveConfig({ root: fork.root, ...inline }, "build");
  const inputs = { config, routes: [], sources: [theme], stateDir: fork.stateDir };
  const key = digestInputs(inputs);
  return key === null ? null : `${key} ${digestModules(record().modules)}`;
}

test("with no change the bundle is used again, and no file is touched", async () => {
  const before = datesOf(fork.outDir);
  const { report, stderr } = await fork.build();
  expect({ report, stderr }).toMatchObject({ stderr: "", report: { bundle: "kept", written: 0 } });
  expect(datesOf(fork.outDir)).toEqual(before);
});

test("with other data and public files a kept bundle gives the bytes of a build from nothing", async () => {
  fork.setLines(someLines(14).slice(1));
  fork.write("public/plain.txt", "Plainer.");
  fork.write("public/new/file.txt", "New.");
  expect(await fork.build()).toMatchObject({ stderr: "", report: { bundle: "kept" } });
  const outDir = join(fork.root, "fresh");
  const fresh = { outDir, stateDir: join(fork.folder, "fresh-state"), bulk: [] };
  expect(await fork.build(fresh)).toMatchObject({ stderr: "", report: { bundle: "made" } });
  const [made, expected] = [contentOf(fork.outDir), contentOf(outDir)];
  expect(differences(made, expected)).toEqual([]);
  expect(made).toMatchObject({ "plain.txt": "Plainer.", "new/file.txt": "New." });
  rmSync(outDir, { recursive: true });
});

test(
  "an output folder that was lost comes back whole from a kept bundle",
  { tags: "long" },
  async () => {
    const before = contentOf(fork.outDir);
    rmSync(fork.outDir, { recursive: true });
    expect(await fork.build()).toMatchObject({ stderr: "", report: { bundle: "kept" } });
    expect(differences(contentOf(fork.outDir), before)).toEqual([]);
  },
);

type Edit = (text: string) => string | null;
const add: Edit = (text) => `${text}\n`;
const remove: Edit = () => null;
const config =
  (from: string, to: string): Edit =>
  (text) =>
    text.replace(from, to);

/** Of the inputs before they are edited, and after each edit is undone. */
let unedited: string | null = null;

test.each<[kind: string, file: string, edit: Edit]>([
  ["a page", "src/pages/rich.astro", add],
  ["a page that is new", "src/pages/new.astro", add],
  ["a page that is gone", "src/pages/story.md", remove],
  ["a page in Markdown", "src/pages/story.md", add],
  ["a component", "src/components/Card.astro", add],
  ["a component that is new", "src/components/Other.astro", add],
  ["a layout", "src/layouts/Base.astro", add],
  ["a module of the source", "src/data.ts", add],
  ["the memo", "src/byline-memo.ts", add],
  ["a style sheet", "src/style.css", add],
  ["a module of styles", "src/box.module.css", add],
  ["a style sheet that another imports", "extra.css", add],
  ["JSON outside of the source", "extra.json", () => '{ "word": "two" }'],
  ["a picture", "src/photo.png", add],
  ["a file that a pattern finds", "parts/one.json", add],
  ["a new file that a pattern finds", "parts/two.json", () => "{}"],
  ["the middleware", "src/middleware.ts", add],
  ["the collections", "src/content.config.ts", add],
  ["an entry of a collection", "notes/first.md", add],
  ["a file of the environment", ".env", () => "PUBLIC_MOTTO=second\n"],
  ["another file of the environment", ".env.production", () => "PUBLIC_MOTTO=second\n"],
  ["the lock file", "package-lock.json", () => '{ "version": 2 }'],
  ["another lock file", "bun.lock", add],
  ["a dependency", "node_modules/dependency/index.js", add],
  ["the version of a dependency", "node_modules/dependency/package.json", config("1.0.0", "1.0.1")],
  ["the settings of TypeScript", "tsconfig.json", () => '{ "compilerOptions": {} }'],
  ["the settings of PostCSS", "postcss.config.mjs", () => "export default {};"],
  ["the browsers", ".browserslistrc", add],
  ["a theme's style sheet", "../theme/theme.css", add],
  ["a theme's manifest", "../theme/theme.json", () => '{ "extends": "other" }'],
  ["a typeface of a theme", "../theme/letters.woff2", () => "letters"],
  ["the base", "astro.config.mjs", config('base: "/book/"', 'base: "/"')],
  ["the policy", "astro.config.mjs", config("csp: true", "csp: false")],
  ["a redirect", "astro.config.mjs", config('"/old"', '"/older"')],
  ["a constant", "astro.config.mjs", config('WORD: "1"', 'WORD: "2"')],
  ["an option of an integration", "astro.config.mjs", config("threads: 2", "threads: 3")],
])("a change of %s is noticed", async (_, file, edit) => {
  const path = join(fork.root, file);
  const before = existsSync(path) ? readFileSync(path) : null;
  unedited ??= await digested();
  expect(unedited).toEqual(expect.any(String));
  const edited = edit(before?.toString("latin1") ?? "");
  if (edited === null) rmSync(path);
  else writeFileSync(path, edited, "latin1");
  const second = await digested();
  if (before === null) rmSync(path);
  else writeFileSync(path, before);
  expect(second).not.toBe(unedited);
  expect(await digested()).toBe(unedited);
});

test.each<[string, AstroInlineConfig]>([
  ["an integration", { integrations: [{ name: "own", hooks: {} }] }],
  ["a Vite plugin", { vite: { plugins: [{ name: "own" }] } }],
  ["an adapter", { adapter: { name: "own", hooks: {} } }],
  ["an experiment", { experimental: { incrementalBuild: true } }],
])("no bundle is kept with %s of the site's own: its inputs are unknown", async (_, inline) => {
  expect(await digested(inline)).toBe(null);
});

test.each([
  ["that a page reads", "MOTTO", true],
  ["that the configuration reads", "ORIGIN", true],
  ["of a tool", "NODE_ENV", true],
  ["that no source names", "GITHUB_RUN_ID", false],
])("a change of a variable %s is noticed: %s", async (_, name, isNoticed) => {
  const before = await digested();
  vi.stubEnv(name, "other");
  expect((await digested()) !== before).toBe(isNoticed);
});

test("a report, data and files of other tools beside the sources do not cost a bundle", async () => {
  const files = [
    "report.json",
    "build.log",
    "data.csv",
    "quotes.ndjson.gz",
    ".cache/a.js",
    "public/b.js",
  ];
  for (const file of files) fork.write(file, "one");
  const before = await digested();
  for (const file of files) fork.write(file, "other");
  expect(await digested()).toBe(before);
});

test(
  "edits of each mechanism are on the pages: a collection, a picture's place, a variable, a dependency",
  { tags: "long" },
  async () => {
    fork.write("notes/first.md", "Another *note*.\n");
    fork.write("node_modules/dependency/index.js", 'export const word = "three";');
    const { report } = await fork.build({ env: { MOTTO: "mine" } });
    expect(report).toMatchObject({ bundle: "made" });
    const site = contentOf(fork.outDir);
    expect(site["notes/first/index.html"]).toContain("Another");
    expect(site["rich/index.html"]).toMatch(/one three 1 mine/);
  },
);

const DAMAGE: readonly (readonly [string, (file: string) => void])[] = [
  ["changed", (file) => writeFileSync(file, `${readFileSync(file, "utf8")};`)],
  ["cut off", (file) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
  // Last: the bundles that no build makes again lack the file from then on.
  ["gone", (file) => rmSync(file)],
];

test.each(drawn(DAMAGE, 2))(
  "a kept bundle of which a file is %s is not used",
  async (_, damage) => {
    for (const key of readdirSync(bundles)) damage(join(bundles, key, "pages/render-worker.mjs"));
    expect(await fork.build()).toMatchObject({ stderr: "", report: { bundle: "made" } });
  },
);

test("a site that switches it off is bundled in every build", async () => {
  const { length } = readdirSync(bundles);
  fork.edit("astro.config.mjs", "stateDir: STATE_DIR,", "$&\n      bundleDir: null,");
  expect((await fork.build()).report?.bundle).toBe("made");
  expect(readdirSync(bundles)).toHaveLength(length);
});
