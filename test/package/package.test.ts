/** The package: its manifest, and, in the second tier, sites of projects that use it. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { EMBEDDED, packageManifest } from "../../scripts/package/manifest.ts";
import { COLLECTION } from "../../src/commands/new-project.ts";
import { loadSite } from "../../src/themes/site-folder.ts";
import { filesIn, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { LONG_MS } from "../support/tier.ts";
import { installPackage, NAME, runIn, writeProject } from "./project.ts";

const ROOT = join(import.meta.dirname, "../..");

test("the manifest lists every export by its name, and leaves to the project what the project chooses", () => {
  const repository = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Parameters<
    typeof packageManifest
  >[0];
  const manifest = packageManifest(repository);
  expect(manifest.name).toBe(NAME);
  expect(Object.keys(manifest.exports).join()).not.toContain("*");
  expect(manifest.exports["."]).toMatchObject({
    types: expect.stringMatching(/\.d\.ts$/) as string,
  });
  expect(manifest.exports["./layouts/Page.astro"]).toBe("./src/layouts/Page.astro");
  expect(Object.keys(manifest.dependencies)).not.toContain("astro");
  expect(manifest.peerDependencies.astro).toMatch(/^~\d/);
  expect(manifest.peerDependenciesMeta).not.toHaveProperty("astro");
  for (const name of EMBEDDED)
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  expect(JSON.stringify(manifest)).not.toMatch(/node-(?:linux|win|darwin)|"scripts":|private/);
});

test("what init writes names this repository's packages, actions and commands", () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(COLLECTION).toEqual(
    Object.fromEntries(EMBEDDED.map((name) => [name, dependencies[name]])),
  );
  const usesOf = (file: string): string[] =>
    readFileSync(join(ROOT, file), "utf8").match(/(?:actions\/\S+ # \S+|node-version: \S+)/g) ?? [];
  const nightly = usesOf(".github/workflows/nightly.yml");
  const uses = usesOf("template/nightly.yml");
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((use) => !nightly.includes(use))).toEqual([]);
});

test.each([
  ["a trial", [], Object.keys(COLLECTION), "astro-commonplace build"],
  [
    "a service",
    ["--base-url", "https://quotes.example"],
    [],
    "astro-commonplace build --base-url https://quotes.example",
  ],
  ["an own file", ["--data", "site/quotes.csv"], [], "astro-commonplace build"],
])(
  "init makes the files of %s, and never touches a folder that is not empty",
  async (_, given, packages, script) => {
    const folder = join(tempFolder("init"), "My Site");
    const options = ["--title", 'A "b" $& TITLE', "--url", "https://site.example", ...given];
    const { status, stderr } = await run("init", [folder, ...options]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name: string;
      scripts: Record<string, string>;
      dependencies: Record<string, string>;
    };
    expect(manifest.name).toBe("my-site");
    expect(manifest.scripts["build"]).toBe(script);
    expect(Object.keys(manifest.dependencies)).toEqual(["astro", NAME, ...packages]);
    expect(manifest.dependencies["astro"]).toMatch(/^~\d/);
    const { config } = await loadSite({ SITE_DIR: join(folder, "site") });
    expect(config).toMatchObject({ title: 'A "b" $& TITLE', url: "https://site.example" });
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain('# A "b" $& TITLE\n');
    const before = filesIn(folder);
    expect(before).toContain(".github/workflows/nightly.yml");
    const again = await run("init", [folder]);
    expect(again).toMatchObject({ status: 64 });
    expect(again.stderr).toMatch(/it is not empty; name a new folder\n$/);
    expect(filesIn(folder)).toEqual(before);
  },
);

test.each([
  ["npm/11.6.0 node/v26.10.0", "npm", ".npmrc", "npm ci"],
  ["pnpm/11.28.0 npm/? node/v26.10.0", "pnpm", "pnpm-workspace.yaml", "pnpm@11 install --frozen-"],
  ["yarn/4.18.1 npm/? node/v26.10.0", "yarn", ".yarnrc.yml", "@yarnpkg/cli-dist@4 install --imm"],
  ["", "npm", ".npmrc", "npm ci"],
])("init that %j runs makes a project for %s", async (agent, name, settings, locked) => {
  const folder = join(tempFolder("init"), "site");
  const { stdout } = await run("init", [folder, "--title", "A"], {
    npm_config_user_agent: agent,
  });
  expect(stdout).toContain(`&& ${name} install && ${name} run build\n`);
  const own = [".npmrc", "pnpm-workspace.yaml", ".yarnrc.yml"];
  expect(own.filter((file) => existsSync(join(folder, file)))).toEqual([settings]);
  for (const file of [".github/workflows/nightly.yml", ".gitlab-ci.yml"])
    expect(readFileSync(join(folder, file), "utf8")).toContain(locked);
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(
    `\n${name} install\n${name} run build\n`,
  );
});

test.each([
  [["--data", "a.csv", "--base-url", "https://a.example"], "a site has one source"],
  [["--theme", "nope"], 'Cannot use theme "nope"'],
  [["--url", "nonsense"], "Cannot use --url"],
])("init refuses %j and writes nothing", async (options, message) => {
  const folder = join(tempFolder("init"), "site");
  const { status, stderr } = await run("init", [folder, ...options]);
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain(message);
  expect(existsSync(folder)).toBe(false);
});

/** Every kind of file that a site or a project may have. */
const FILES: Readonly<Record<string, string>> = {
  "site/config.ts": `import { defineSite } from "${NAME}/config";
export default defineSite({
  title: "Moje cytaty",
  language: "pl",
  theme: "./look",
  data: "site/quotes.csv",
  dataLanguage: "en",
  attribution: { name: "A. Keeper", url: "https://keeper.example" },
});
`,
  "site/quotes.csv":
    "pk,quote,author,tags,language\n1,The sea is patient.,Anon,hope,en\n2,Ein Satz bleibt.,Anon,hope,de\n",
  "site/messages/pl.json": '{ "page": { "menu": "Menu strony" } }',
  "site/styles.css": ":root { --accent: #123456; }",
  "site/public/site.txt": "of the site",
  "site/pages/shop.md": "---\ntitle: Sklep\nmenu: true\n---\n\nKubki.\n",
  "site/pages/numbers.json.ts": "export const GET = () => new Response('[1]');\n",
  "site/pages/best.astro": `---
import Card from "${NAME}/components/quote/Card.astro";
import Page from "${NAME}/layouts/Page.astro";
import { openSite } from "${NAME}/site";

const card = openSite().card(1);
---
<Page title="Best" path="/best/"><h1>Best</h1>{card === null ? "none" : <Card {card} />}</Page>
`,
  "site/components/chrome/Heading.astro": `---
import Heading from "${NAME}/components/chrome/Heading.astro";
---
<div data-own="heading"><Heading {...Astro.props}><slot /></Heading></div>
`,
  // As copied from the package: its imports lead to what is beside the original.
  "site/components/chrome/Masthead.astro": readFileSync(
    join(ROOT, "src/components/chrome/Masthead.astro"),
    "utf8",
  ).replace("<nav", '<nav data-own="copy"'),
  "site/components/slots/Logo.astro": '<b data-own="logo"></b>\n',
  "site/components/slots/HeadEnd.astro": '<meta name="own" content="head-end" />\n',
  "site/components/slots/BodyEnd.astro": '<i data-own="body-end"></i>\n',
  "site/components/slots/AfterQuote.astro": `---
import type { AfterQuoteProps } from "${NAME}/components";

type Props = AfterQuoteProps;

const { card } = Astro.props;
---
<p data-own="after">{card.id}</p>
`,
  "site/components/quote/Pictrue.astro": "misspelt\n",
  "look/theme.json": '{ "extends": "folio" }',
  "look/theme.css": ".masthead { outline: 1px solid; }",
  "public/project.txt": "of the project",
  "public/site.txt": "not this",
  "src/content.config.ts": `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { notes: defineCollection({ loader: glob({ base: "notes", pattern: "*.md" }) }) };
`,
  "notes/one.md": "---\ntitle: Uwaga\n---\n\nTekst.\n",
  "src/pages/notes.astro": `---
import { getCollection } from "astro:content";
import Page from "${NAME}/layouts/Page.astro";

const notes = await getCollection("notes");
---
<Page title="Notes" path="/notes/"><h1>Notes</h1>{notes.map(({ data }) => <p>{data.title}</p>)}</Page>
`,
  "src/middleware.ts": `import { defineMiddleware } from "astro:middleware";
export const onRequest = defineMiddleware(async (context, next) => {
  const response = await next();
  if (context.url.pathname !== "/notes/") return response;
  const html = await response.text();
  return new Response(html.replace("</main>", "<p>From middleware</p></main>"), response);
});
`,
  // An island of a framework of the project's own.
  "src/renderer/server.mjs": `export default {
  name: "own",
  check: (Component) => typeof Component === "function" && Component.own === true,
  renderToStaticMarkup: (Component, props) => ({ html: Component(props) }),
};
`,
  "src/renderer/client.mjs":
    "export default (element) => (Component, props) => { element.innerHTML = Component(props); };\n",
  "src/Counter.mjs":
    "export default function Counter({ from }) { return `<button>${from}</button>`; }\nCounter.own = true;\n",
  "src/pages/island.astro": `---
import Page from "${NAME}/layouts/Page.astro";
import Counter from "../Counter.mjs";
---
<Page title="Island" path="/island/"><h1>Island</h1><Counter from={7} client:load /></Page>
`,
  "astro.config.mjs": `import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "astro/config";
import commonplace from "${NAME}";

export default defineConfig({
  redirects: { "/store": "/shop/" },
  integrations: [
    commonplace(),
    {
      name: "renderer",
      hooks: {
        "astro:config:setup": ({ addRenderer }) =>
          addRenderer({
            name: "own",
            serverEntrypoint: fileURLToPath(new URL("./src/renderer/server.mjs", import.meta.url)),
            clientEntrypoint: fileURLToPath(new URL("./src/renderer/client.mjs", import.meta.url)),
          }),
      },
    },
    {
      name: "own",
      hooks: { "astro:build:done": ({ dir }) => writeFileSync(new URL("own.txt", dir), "own") },
    },
  ],
});
`,
};

const QUOTES = [
  { id: 1, author: "Anon", tags: ["hope"] },
  { id: 2, author: "Anon", language: "de" },
];
const TIME = { SITE_DATE: "2026-11-20", SITE_NOW: "2026-11-20T03:00:00Z" };

describe("a project with the package", { tags: "long" }, () => {
  const project = realpathSync(writeProject(FILES));
  const made = (file: string): string => readFileSync(join(project, "dist", file), "utf8");
  const build = (...args: string[]) => runIn(project, ["build", "--json", ...args], TIME);
  let built: ReturnType<typeof runIn>;

  beforeAll(() => {
    installPackage(project);
    built = build("--quiet");
  }, LONG_MS);

  test("builds, and the audit finds nothing", () => {
    expect(built).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(built.stdout)).toMatchObject({ audit: { total: 0 } });
  });

  test("has the pages of the package, of site/ and of src/, and the files of three folders", () => {
    expect(made("index.html")).toContain("Moje cytaty");
    expect(made("shop/index.html")).toContain("Kubki.");
    expect(made("numbers.json")).toBe("[1]");
    expect(made("best/index.html")).toContain('id="q1"');
    expect(made("notes/index.html")).toContain("<p>Uwaga</p>");
    expect(made("notes/index.html")).toContain("<p>From middleware</p></main>");
    expect(made("island/index.html")).toMatch(/<astro-island[^>]*client="load"[^]*<button>7</);
    expect(made("store/index.html")).toContain("/shop/");
    expect(made("site.txt")).toBe("of the site");
    expect(made("project.txt")).toBe("of the project");
    expect(made("own.txt")).toBe("own");
    expect(made("sitemap-1.xml")).toContain("/notes/");
  });

  test("uses overrides, messages, the sheet and the theme of the project", () => {
    for (const own of ["heading", "copy", "logo", "body-end"])
      expect(made("tag/hope/index.html")).toContain(`data-own="${own}"`);
    expect(made("tag/hope/index.html")).toContain('<meta name="own" content="head-end">');
    expect(made("quote/1/index.html")).toContain('<p data-own="after">1</p>');
    expect(made("shop/index.html")).toContain("Menu strony");
    const sheets = globSync("_astro/*.css", { cwd: join(project, "dist") })
      .map(made)
      .join("");
    expect(sheets).toContain("#123456");
    expect(sheets).toMatch(/\.masthead\{outline:/);
  });

  test("names an override that replaces nothing, with the nearest path", () => {
    const report = readFileSync(join(project, ".commonplace/report.md"), "utf8");
    expect(report).toMatch(/Pictrue.* replaces nothing.*did you mean components\/quote\/Picture/);
  });

  test("renders only what changed, and keeps what did not", () => {
    const again = build("--quiet");
    expect(again.status).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ render: { changes: { removed: 0 } } });
  });

  test("its types are those of the package", () => {
    writeProject(
      { "tsconfig.json": `{ "extends": "${NAME}/tsconfig", "include": ["site"] }` },
      project,
    );
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const check = () =>
      spawnSync(process.execPath, [compiler, "--noEmit", "-p", project], { encoding: "utf8" });
    expect(check().stdout).toBe("");
    const wrong = (FILES["site/config.ts"] ?? "").replace('"Moje cytaty"', "7");
    writeProject({ "site/wrong.ts": wrong }, project);
    expect(check().stdout).toContain("site/wrong.ts(3,");
  });

  test("init of the package makes a project that builds, and says what a trial lacks", () => {
    const folder = realpathSync(tempFolder("new"));
    const made = runIn(project, ["init", join(folder, "mine"), "--data", "site/quotes.csv"]);
    expect(made).toMatchObject({ status: 0, stderr: "" });
    const mine = join(folder, "mine");
    const packages = join(project, "node_modules");
    cpSync(packages, join(mine, "node_modules"), { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(mine, "site/quotes.csv"), FILES["site/quotes.csv"] ?? "");
    expect(runIn(mine, ["build", "--quiet"], TIME)).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(mine, "dist/tag/hope/index.html"), "utf8")).toContain('id="q1"');
    rmSync(join(mine, "site/config.ts"));
    rmSync(join(mine, ".commonplace"), { recursive: true });
    const trial = runIn(mine, ["build", "--quiet"], TIME);
    expect(trial.status).toBe(78);
    expect(trial.stderr).toMatch(
      /^Cannot use the embedded collection: .* is not installed; .*npm install .*\n$/,
    );
    rmSync(join(mine, "site"), { recursive: true });
    expect(runIn(mine, ["build", "--quiet"], TIME).stderr).toContain(`${mine} has no site/`);
  });

  test("has the same bytes as a clone, without a file of its own", () => {
    const bare = realpathSync(writeProject({}));
    cpSync(join(project, "node_modules"), join(bare, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const [ours, theirs] = [join(bare, "dist"), join(tempFolder("clone"), "dist")];
    const [state, other] = [join(bare, ".commonplace"), tempFolder("state")];
    for (const stateDir of [state, other]) makeSnapshot({ stateDir, quotes: QUOTES });
    const args = (stateDir: string, out: string) => [
      "render",
      "--state",
      stateDir,
      "--out",
      out,
      "--quiet",
    ];
    expect(runIn(bare, args(state, ours), TIME)).toMatchObject({ status: 0, stderr: "" });
    const program = join(ROOT, "scripts/commonplace.mjs");
    const env = { PATH: process.env["PATH"], SITE_DIR: process.env["SITE_DIR"], ...TIME };
    spawnSync(process.execPath, [program, ...args(other, theirs)], { cwd: ROOT, env });
    const files = filesIn(theirs);
    expect(filesIn(ours)).toEqual(files);
    const differing = files.filter(
      (file) => !readFileSync(join(ours, file)).equals(readFileSync(join(theirs, file))),
    );
    expect(differing.filter((file) => file !== "build.json")).toEqual([]);
    expect(existsSync(join(bare, "astro.config.mjs"))).toBe(false);
  });
});
