/**
 * A fork with a file of every kind in `site/`: it merges what the project changed since without a conflict, passes what is
 * checked of it, and builds; a theme from `npm pack` works; and its mistakes are named with file and line. A fork skips this.
 *
 * `FORK=full` also runs its `npm test`.
 */
// @module-tag long
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { folderWith, runWarm, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const isFork = existsSync(join(ROOT, "site/config.ts"));

const FILES: Readonly<Record<string, string>> = {
  "config.ts": `import { defineSite } from "commonplace/config";

export default defineSite({
  title: "Bonmots",
  language: "pl",
  theme: "mine",
  menu: ["today", { href: "/shop/", label: { en: "Shop", pl: "Sklep" } }],
  attribution: { name: "quotes.example", url: "https://quotes.example" },
  unlisted: ["/frame.html"],
});
`,
  "styles.css": ":root {\n  --accent: oklch(45% 0.15 250);\n}\n",
  "themes/mine/theme.json": '{ "extends": "press" }\n',
  "themes/mine/tokens.css": ":root {\n  --paper: #fefefe;\n}\n",
  "themes/mine/components/quote/By.astro": `---
import type { ComponentProps } from "astro/types";
import By from "commonplace/components/quote/By.astro";

type Props = ComponentProps<typeof By>;
---

<div class="of-theme">
  <By {...Astro.props} />
</div>
`,
  "components/quote/By.astro": `---
import type { ComponentProps } from "astro/types";
import By from "commonplace/components/quote/By.astro";

type Props = ComponentProps<typeof By>;
---

<div class="of-site">
  <By {...Astro.props} />
</div>
`,
  "layouts/Typefaces.astro": "<!-- own typefaces -->\n",
  "pages/house.md": "---\ntitle: Nasz dom\nmenu: true\n---\n\nSome _text_.\n",
  "pages/draft.mdx": "---\ntitle: Draft\nunlisted: true\nlanguage: fa\n---\n\nTwo is {1 + 1}.\n",
  "pages/about.md": "---\ntitle: Who we are\n---\n\n# Who _we_ are\n\nNot the project's.\n",
  "pages/shop/index.astro": `---
import Card from "astro-commonplace/components/quote/Card.astro";
import Page from "commonplace/layouts/Page.astro";
import { openSite } from "astro-commonplace/site";

const { cards } = openSite().today("2026-11-21");
---

<Page title="Shop">
  <h1>Shop</h1>
  {cards.map((card) => (
    <Card {card} />
  ))}
</Page>
`,
  "pages/shop/[item].astro": `---
import Page from "commonplace/layouts/Page.astro";

export const getStaticPaths = () => ["pen", "pen&ink"].map((item) => ({ params: { item } }));
---

<Page title="Pen" language="en">
  <h1>{Astro.params.item}</h1>
</Page>
`,
  "press-kit/press.json": "{}\n",
  "press-kit/press.css": ".press {\n  color: teal;\n}\n",
  "shops.json": '[{ "id": "pen" }]\n',
  "notes/first.md": "---\ntitle: First\n---\n\nA note.\n",
  "press-kit/press.astro": `---
import "./press.css";
import "./press.json";
import Page from "commonplace/layouts/Page.astro";
---

<Page title="Press">
  <h1>Press kit</h1>
</Page>
`,
  "pages/data.json.ts": "export const GET = (): Response => Response.json({ own: true });\n",
  "messages/pl.json": '{ "page": { "today": "Dziś" } }\n',
  "messages/de.json": '{ "page": { "today": "Jetzt" } }\n',
  "public/notes.txt": "A file as it is.\n",
  "public/icon.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" />\n',
};

/** What a fork adds to the configuration of Astro: redirects, and an integration with pages of its own. */
const CONFIGURED = `  redirects: { "/store": "/shop/" },
  integrations: [
    {
      name: "press-kit",
      hooks: {
        "astro:config:setup": ({ injectRoute }) =>
          injectRoute({ pattern: "/press", entrypoint: "./site/press-kit/press.astro" }),
        "astro:build:done": async ({ dir }) => {
          const { writeFileSync } = await import("node:fs");
          writeFileSync(new URL("frame.html", dir), "<!doctype html><title>For a frame</title>");
        },
      },
    },
    commonplace(),
  ],`;

/** What a fork adds to `src`: its list of collections. */
const COLLECTIONS = `import { defineCollection } from "astro:content";
import { file, glob } from "astro/loaders";
import { z } from "astro/zod";

const loader = glob({ pattern: "*.md", base: "./site/notes" });
export const collections = {
  shops: defineCollection({ loader: file("site/shops.json") }),
  notes: defineCollection({ loader, schema: z.object({ title: z.string() }) }),
};
`;

let astroConfig = "";
const folder = tempFolder("fork");
const root = join(folder, "fork");
const HOUR_MS = 3_600_000;
const outDir = join(folder, "dist");
const stateDir = join(folder, "state");

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@example", ...args], {
    encoding: "utf8",
  });

const write = (files: Readonly<Record<string, string>>): string =>
  folderWith(files, join(root, "site"));

function run(command: string, ...args: readonly string[]) {
  const file = join(root, "scripts/commonplace.mjs");
  const env = { PATH: process.env["PATH"], SITE_CARDS: "0", ASTRO_TELEMETRY_DISABLED: "1" };
  return runWarm({ file, args: [command, ...args], env, cwd: root });
}

const folders = ["--state", stateDir, "--out", outDir, "--quiet"];
const read = (file: string): string => readFileSync(join(outDir, file), "utf8");

/** A fork has packages of its own beside those of the project. */
function linkPackages(): void {
  const [from, to] = [join(ROOT, "node_modules"), join(root, "node_modules")];
  mkdirSync(to);
  for (const { name } of readdirSync(from, { withFileTypes: true })) {
    if (!name.startsWith(".") || name === ".bin")
      symlinkSync(join(from, name), join(to, name), "junction");
  }
}

/** Packs a package, and installs it into the fork without a registry. */
function installPackage(name: string, files: Readonly<Record<string, string>>): void {
  const source = join(folder, name);
  folderWith(files, source);
  const npm = (...args: readonly string[]): string =>
    execFileSync("npm", args, {
      cwd: source,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
  const tarball = npm("pack", "--silent").trim();
  const prefix = join(folder, "installed");
  npm("install", "--offline", "--no-audit", "--prefix", prefix, join(source, tarball));
  renameSync(join(prefix, "node_modules", name), join(root, "node_modules", name));
}

function makeFork(): void {
  execFileSync("git", ["clone", "-q", "--shared", ROOT, root]);
  const first = git("log", "--diff-filter=A", "--format=%H", "--", "site/.gitkeep").trim();
  const upstream = git("rev-parse", "HEAD").trim();
  git("checkout", "-q", "--detach", first);
  write(FILES);
  git("add", "site");
  git("commit", "-q", "-m", "Make it ours");
  git("merge", "-q", "--no-edit", upstream);
  // What is not committed yet is tested, too.
  for (const changed of ["src", "scripts", "public", "package.json", "astro.config.mjs"]) {
    rmSync(join(root, changed), { recursive: true });
    cpSync(join(ROOT, changed), join(root, changed), { recursive: true });
  }
  const before = readFileSync(join(ROOT, "astro.config.mjs"), "utf8");
  astroConfig = before.replace("  integrations: [commonplace()],", CONFIGURED);
  write({ "../astro.config.mjs": astroConfig });
  writeFileSync(join(root, "src/content.config.ts"), COLLECTIONS);
  linkPackages();
  makeSnapshot({
    stateDir,
    quotes: [
      { id: 1, author: "Anon", tags: ["hope"] },
      { id: 2, author: "Anon", language: "de" },
    ],
  });
}

beforeAll(async () => {
  makeFork();
  expect(await run("render", "--whole", ...folders)).toMatchObject({ status: 0 });
});

describe.skipIf(isFork)("a fork", () => {
  test("passes the formatter and the linter, with a theme as it is made", async () => {
    expect(await run("theme", "new", "fresh")).toMatchObject({ status: 0 });
    const bin = (name: string, ...args: readonly string[]) =>
      spawnSync(process.execPath, [join(ROOT, "node_modules", name), ...args], {
        cwd: root,
        encoding: "utf8",
      });
    const formatted = bin("prettier/bin/prettier.cjs", "--check", "site");
    expect(formatted.stderr + String(formatted.status)).toBe("0");
    const linted = bin("eslint/bin/eslint.js", "site", "--max-warnings", "0");
    expect(linted.stdout + linted.stderr).toBe("");
  });

  const isFull = process.env["FORK"] === "full";
  test.each(["check", "build", ...(isFull ? ["test"] : [])])(
    "passes npm run %s",
    (script) => {
      const { HOME, PATH, TEST_PATIENCE } = process.env;
      const log = join(ROOT, `fork-${script}.log`);
      const { status } = spawnSync("npm", ["run", script], {
        cwd: root,
        env: { HOME, PATH, TEST_PATIENCE },
        stdio: ["ignore", openSync(log, "w"), openSync(log, "a")],
      });
      expect(`${status}: ${log}`).toBe(`0: ${log}`);
    },
    HOUR_MS,
  );

  test("passes the audit", async () => {
    expect(await run("audit", ...folders)).toMatchObject({ status: 0 });
  });

  test.each<[string, string, RegExp]>([
    ["the title", "index.html", /<title>Bonmots/],
    ["a word of a new language", "index.html", /<html lang="pl"[\s\S]*>Dziś<\/a>/],
    ["a word of a language of the project", "language/de/index.html", />Jetzt<\/a>/],
    ["an entry of the menu, in the language of the page", "index.html", /href="\/shop\/">Sklep</],
    ["an entry of the menu, in another language", "shop/pen/index.html", /href="\/shop\/">Shop</],
    ["a Markdown page in the menu", "tag/hope/index.html", /<a href="\/house\/">Nasz dom</],
    ["a Markdown page", "house/index.html", /<h1><bdi>Nasz dom<[\s\S]*<em>text<\/em>/],
    [
      "one with a heading of its own",
      "about/index.html",
      /<main(?:(?!<h1)[^])*<h1 id="who-we-are">(?:(?!<h1)[^])*<\/main>/,
    ],
    ["its footer", "house/index.html", /data-attribution href="https:\/\/quotes\.example"/],
    [
      "an MDX page, right to left, unlisted",
      "draft/index.html",
      /noindex[\s\S]*<main[^>]* lang="fa" dir="rtl"[\s\S]*is 2/,
    ],
    [
      "a page in the place of the project's",
      "about/index.html",
      /stylesheet[\s\S]*Not the project’s/,
    ],
    ["an Astro page", "shop/index.html", /<html lang="pl"[\s\S]*<h1>Shop</],
    [
      "a card, and the form of its buttons",
      "shop/index.html",
      /<button form="vote_up"[\s\S]*<form id="vote_up"/,
    ],
    ["a page of an integration", "press/index.html", /<h1>Press kit</],
    ["a redirect of Astro's", "store/index.html", /http-equiv="refresh"/],
    ["a page of a pattern", "shop/pen/index.html", /<html lang="en"[\s\S]*<h1>pen</],
    ["a file as it is", "notes.txt", /^A file as it is\.$/m],
    [
      "a file in the place of the project's",
      "icon.svg",
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 8 8" \/>$/m,
    ],
    [
      "a component over that of the theme, which it wraps",
      "tag/hope/index.html",
      /of-site"><div class="of-theme"><p class="by"/,
    ],
    ["a layout", "index.html", /own typefaces/],
    ["the sitemap, as XML", "sitemap-1.xml", /\/shop\/pen&amp;ink\//],
    ["the sitemap", "sitemap-1.xml", /\/house\/[\s\S]*\/shop\/pen\/|\/shop\/pen\/[\s\S]*\/house\//],
  ])("has %s", (_, file, content) => {
    expect(read(file)).toMatch(content);
  });

  test("leaves what is unlisted out of the sitemap, and lists no page twice", () => {
    const places = [...read("sitemap-1.xml").matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at);
    expect(places.filter((at) => at?.includes("draft"))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
  });

  test("has its tokens after those of the theme, and these after the project's", () => {
    const sheets = [...read("index.html").matchAll(/href="\/(_astro\/[^"]+\.css)"/g)];
    const css = sheets.map(([, sheet = ""]) => read(sheet)).join("");
    const places = ["#97281a", "#1b35e0", "--paper:#fefefe", "--accent:oklch"].map((token) =>
      css.indexOf(token),
    );
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
  });
});

describe.skipIf(isFork)("a theme that is made by npm run theme, and packed", () => {
  const THEME = "commonplace-theme-slate";
  const out = join(folder, "packed");
  const page = (file: string): string => readFileSync(join(out, file), "utf8");

  beforeAll(async () => {
    const { "config.ts": config = "", "components/quote/By.astro": by = "" } = FILES;
    expect(await run("theme", "new", join(folder, THEME, "look"))).toMatchObject({ status: 0 });
    installPackage(THEME, {
      "package.json": JSON.stringify({
        name: THEME,
        version: "1.0.0",
        commonplace: "look",
        files: ["look"],
      }),
      "look/components/quote/By.astro": by.replace("of-site", "of-package"),
      "notes.md": "not packed",
    });
    rmSync(join(root, "site/components"), { recursive: true });
    write({ "config.ts": config.replace('theme: "mine"', `theme: "${THEME}"`) });
  });
  afterAll(restoreSite);

  test("is rendered with its tokens, its components and what it extends", async () => {
    expect(existsSync(join(root, "node_modules", THEME, "notes.md"))).toBe(false);
    cpSync(stateDir, join(folder, "packed-state"), { recursive: true });
    const own = ["--state", join(folder, "packed-state"), "--out", out, "--quiet"];
    expect(await run("render", ...own)).toMatchObject({ status: 0, stderr: "" });
    expect(page("tag/hope/index.html")).toContain('<div class="of-package"><p class="by"');
    const sheets = [...page("index.html").matchAll(/href="\/(_astro\/[^"]+\.css)"/g)];
    const css = sheets.map(([, sheet = ""]) => page(sheet)).join("");
    // The tokens and rules of folio, which it extends, come before its own.
    expect(css.indexOf("open-quote")).toBeGreaterThan(0);
    expect(css.lastIndexOf("#1d6b45")).toBeGreaterThan(css.lastIndexOf("#97281a"));
  });
});

const configured = (settings: string): string =>
  readFileSync(join(ROOT, "astro.config.mjs"), "utf8")
    .replace("{ defineConfig }", "{ defineConfig, fontProviders }")
    .replace(/\}\);\s*$/, `${settings} });\n`);

function restoreSite(): void {
  for (const own of ["site", "src/middleware.ts", "postcss.config.mjs"])
    rmSync(join(root, own), { recursive: true, force: true });
  write({ ...FILES, "../astro.config.mjs": astroConfig });
}

test.skipIf(isFork)(
  "a command writes what a fork logs to stderr, and its result alone to stdout",
  async () => {
    onTestFinished(restoreSite);
    const logs = ["config.ts", "components/quote/By.astro"].map((file): [string, string] => {
      const line = `console.log(${JSON.stringify(file)});\n`;
      return [file, (FILES[file] ?? "").replace(/^(---\n)?/, `$1${line}`)];
    });
    write(Object.fromEntries(logs));
    const { stdout, stderr } = await run("render", "--json", ...folders);
    expect(JSON.parse(stdout)).toHaveProperty("pages");
    expect(new Set(stderr.trimEnd().split("\n"))).toEqual(new Set(logs.map(([file]) => file)));
  },
);

/** A failure that names a line of a file in `site`, or one beside it. */
const atLine = (file: string, line: number): RegExp =>
  new RegExp(
    `(?:^|\n)Cannot .*site/${RegExp.escape(file)}:(?:${line - 1}|${line}|${line + 1}):.*\n$`,
  );

describe.skipIf(isFork)("a mistake of a fork is status 78 with its place or the reason", () => {
  afterEach(restoreSite);

  const mistakes: readonly (readonly [string, string, string, number | RegExp])[] = [
    ["a component", "components/quote/By.astro", "---\nconst a = ;\n---\n<p>x</p>\n", 2],
    [
      "a component that fails",
      "components/quote/By.astro",
      "---\nconst a = null;\n\na.b;\n---\n",
      4,
    ],
    ["an import", "pages/shop/index.astro", '---\n\n\nimport "./nothing.astro";\n---\n', 4],
    ["a sheet", "styles.css", ":root {\n  --accent: red;\n}\n}\n", 4],
    ["a sheet that a page imports", "press-kit/press.css", ".press {\n  color: teal;\n}\n}\n", 4],
    [
      "a page of a pattern",
      "pages/shop/[item].astro",
      "---\nexport const getStaticPaths = () => items();\n---\n",
      2,
    ],
    ["an entry of a collection", "notes/first.md", '---\ntitle: "First\n---\n', 2],
    [
      "data that a page imports",
      "press-kit/press.json",
      '{ "a": 1,, }\n',
      /^Cannot read site\/press-kit\/press\.json:1: .*line 1 column 10/m,
    ],
    [
      "middleware",
      "../src/middleware.ts",
      'export const onRequest = () => {\n  throw new Error("oops");\n};\n',
      /^Cannot render src\/middleware\.ts:2: oops/m,
    ],
    [
      "the configuration of Astro",
      "../astro.config.mjs",
      "import 'astro';\n\nexport default { base: nothing };\n",
      /^Cannot render astro\.config\.mjs:3: nothing is not defined/m,
    ],
    [
      "its syntax",
      "../astro.config.mjs",
      "export default {\n  ,\n};\n",
      /^Cannot render astro\.config\.mjs:2: Unexpected token/m,
    ],
    [
      "a value that its schema refuses",
      "../astro.config.mjs",
      'export default { output: "statik" };\n',
      /^Cannot render: output: Did not match union/m,
    ],
    [
      "a typeface without its file",
      "../astro.config.mjs",
      configured(
        'fonts: [{ provider: fontProviders.local(), name: "None", cssVariable: "--none", options: { variants: [{ src: ["./site/none.woff2"], weight: 400, style: "normal" }] } }]',
      ),
      /^Cannot render: ENOENT: .*site\/none\.woff2/m,
    ],
    [
      "a redirect from a page of the project",
      "../astro.config.mjs",
      configured('redirects: { "/tags/": "/languages/" }'),
      /^Cannot redirect \/tags\/ in astro\.config\.mjs: it is the address of src\/pages\/tags\.astro/m,
    ],
    [
      "a key that Commonplace decides",
      "../astro.config.mjs",
      configured('outDir: "./out2"'),
      /^Cannot use outDir: "out2" of astro\.config\.mjs: remove the key, and use the option --out;/m,
    ],
    [
      "the integration of Commonplace, named twice",
      "../astro.config.mjs",
      configured("integrations: [commonplace(), commonplace()]"),
      /^Cannot use integrations of astro\.config\.mjs: .* named twice; remove one of them;.*\n$/,
    ],
    [
      "a page at the address of a listing",
      "pages/tag/hope.md",
      "---\ntitle: Hope\n---\n",
      /^Cannot render .*: site\/pages\/tag\/hope\.md makes the file tag\/hope\/index\.html, too/m,
    ],
    [
      "a plugin for Markdown without its processor",
      "../astro.config.mjs",
      configured("markdown: { remarkPlugins: [() => {}] }"),
      /^Cannot render: .* Install it with: npm install @astrojs\/markdown-remark/m,
    ],
    [
      "a plugin for sheets",
      "../postcss.config.mjs",
      'const postcssPlugin = "x";\nconst Once = () => oops();\nexport default { plugins: [{ postcssPlugin, Once }] };\n',
      /^Cannot render postcss\.config\.mjs:2: oops is not defined/m,
    ],
    [
      "a list of pages that lacks the parameter",
      "pages/shop/[item].astro",
      "---\nexport const getStaticPaths = () => [{ params: { pen: String(1) } }];\n---\n",
      /^Cannot render site\/pages\/shop\/\[item\]\.astro: Missing parameter: item/m,
    ],
    [
      "a package that is not installed",
      "pages/shop/index.astro",
      '---\nimport "no-such-package";\n---\n',
      /^Cannot render site\/pages\/shop\/index\.astro:2: Rolldown failed to resolve/m,
    ],
    [
      "an entry that its schema refuses",
      "notes/first.md",
      "---\ntitle: 1\n---\n",
      /^Cannot render site\/notes\/first\.md: notes → first .* title: .*string/m,
    ],
    [
      "the data of a collection that is no JSON",
      "shops.json",
      "[{\n",
      /^Cannot render site\/shops\.json: Error reading data/m,
    ],
    [
      "a page without files",
      "pages/shop/cart.astro",
      "---\nexport const prerender = false;\n---\n",
      /^Cannot render site\/pages\/shop\/cart\.astro: Cannot use server-rendered pages without an/m,
    ],
    [
      "a module of components without its exports",
      "components/quote/card-memo.ts",
      "export {};\n",
      /^Cannot render site\/components\/quote\/card-memo\.ts: "\w+" is not exported by/m,
    ],
    [
      "a page without a title",
      "pages/shop/cart.astro",
      '---\nimport Page from "commonplace/layouts/Page.astro";\n---\n<Page />\n',
      /^Cannot render site\/pages\/shop\/cart\.astro: <Page> needs a title/m,
    ],
  ];

  test.each(mistakes)("%s", async (_, file, text, message) => {
    write({ [file]: text });
    const { status, stderr } = await run("render", ...folders);
    expect(stderr).toMatch(typeof message === "number" ? atLine(file, message) : message);
    expect(status).toBe(78);
  });

  test("a configuration of Astro that fails, at the start of the dev server", async () => {
    write({ "../astro.config.mjs": 'import "astro";\n\nexport default { base: nothing };\n' });
    expect(await run("dev", "--state", stateDir, "--port", "0", "--quiet")).toMatchObject({
      status: 78,
      stderr: expect.stringMatching(/^Cannot render astro\.config\.mjs:3: nothing is/m) as string,
    });
  });
});

test.skipIf(isFork)("a link to nothing in site/public is status 78 with its name", async () => {
  onTestFinished(restoreSite);
  symlinkSync("nowhere", join(root, "site/public/lost"));
  const { status, stderr } = await run("render", ...folders);
  expect([status, stderr]).toEqual([
    78,
    expect.stringMatching(/^Cannot copy site\/public\/lost: it /m),
  ]);
});

test.skipIf(isFork)("the project ships an empty folder", () => {
  const files = execFileSync("git", ["-C", ROOT, "ls-files", "site"], { encoding: "utf8" });
  expect(files.trim()).toBe("site/.gitkeep");
});
