/** Package and project are two folders: the program runs where its project lies elsewhere. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFiles, folderWith, tempFolder } from "../support/run/index.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const PROJECT = realpathSync(
  folderWith({
    ...emptyFiles("site/pages/about.astro", "site/pages/shop.astro", "other/x"),
    ...emptyFiles("look/theme.css", "node_modules/bought/theme.css"),
    "node_modules/bought/package.json": "{}",
  }),
);

/** Runs a program of Node in a working folder that is neither root. */
function runElsewhere(project: string, ...args: readonly string[]) {
  const env = { PATH: process.env["PATH"], HOME: tempFolder("home"), COMMONPLACE_PROJECT: project };
  return spawnSync(process.execPath, args, { cwd: tempFolder("elsewhere"), env, encoding: "utf8" });
}

test("each root is found and used where it is meant, and never one in the place of the other", () => {
  const { stdout, stderr } = runElsewhere(PROJECT, join(import.meta.dirname, "two-roots.ts"));
  expect(stderr.replace(/^.*(?:ExperimentalWarning|--trace-warnings).*\n/gm, "")).toBe("");
  const of = (root: string) => (path: string) => join(root, path);
  const [inPackage, inProject] = [of(PACKAGE), of(PROJECT)];
  expect(JSON.parse(stdout)).toEqual({
    roots: [inPackage("/"), PROJECT],
    name: "site/config.ts",
    site: [inProject("site"), inProject("other")],
    replaced: ["about.astro", null],
    byName: [inPackage("src/themes/press")],
    byPath: [inProject("look")],
    asPackage: [inProject("node_modules/bought")],
    paper: "#fbf8f1",
    newTheme: inProject("new/mine"),
    taken: "UsageError: Cannot make theme press: the project has one of that name",
    secret: expect.stringContaining("Cannot use .env.local: it sets QUOTES_TOKEN") as string,
  });
});

test(
  "a command writes to the project that it is run for, and never over it",
  { tags: "long" },
  () => {
    // Without `site/`, and with a name that Astro cannot use.
    const project = realpathSync(folderWith(emptyFiles("a#b/package.json")));
    const root = join(project, "a#b");
    const command = (...args: readonly string[]) =>
      runElsewhere(root, join(PACKAGE, "scripts/commonplace.mjs"), ...args).stderr;
    expect(command("render", "--out", tempFolder("out"), "--quiet")).toContain(
      `render in ${root}:`,
    );
    for (const [name, option] of [
      ["harvest", "--state"],
      ["render", "--out"],
    ] as const) {
      expect(command(name, option, root, "--adopt", "--quiet")).toMatch(
        `Cannot use ${option} ${root}: it is the project`,
      );
    }
    expect(command("theme", "new", "own")).toBe("");
    expect(existsSync(join(root, "site/themes/own/theme.json"))).toBe(true);
  },
);

describe("a command in another folder than that of the site", () => {
  const root = realpathSync(
    folderWith({
      ...emptyFiles("mine/package.json", "mine/dist/index.html", "bare/site/pages/x.md"),
      ...emptyFiles("bare/site/config.ts", "mine/other/package.json", "mine/third/astro.config.ts"),
      ...emptyFiles("package.json", "none/x"),
      "mine/site/quotes.csv": "pk,quote\n1,So.\n",
      "mine/site/pages/x.md": "",
    }),
  );
  const program = join(PACKAGE, "scripts/commonplace.mjs");

  test.each([
    ["mine/site", "mine"],
    ["mine/site/pages", "mine"],
    ["mine/dist", "mine"],
    ["bare/site", "bare"],
  ])("in %s it names %s, and makes nothing", (folder, meant) => {
    const inside = join(root, folder);
    const before = readdirSync(inside);
    const { status, stderr } = runElsewhere(inside, program, "build", "--quiet");
    expect([status, stderr]).toEqual([
      64,
      `Cannot run in ${inside}: it has no site/; run the command in ${join(root, meant)}\n`,
    ]);
    expect(readdirSync(inside)).toEqual(before);
  });

  test.each(["mine", "mine/other", "mine/third", "none"])(
    "in %s it runs",
    { tags: "long" },
    (folder) => {
      expect(runElsewhere(join(root, folder), program, "snapshots").stderr).not.toMatch(
        /^Cannot run/,
      );
    },
  );

  test("with SITE_DIR, or where it makes no site, it runs", () => {
    const inside = join(root, "mine/site");
    const run = (...args: readonly string[]) => runElsewhere(inside, program, ...args);
    expect(run("completions", "bash").status).toBe(0);
    expect(run("init", join(tempFolder("new"), "own"), "--title", "Own").status).toBe(0);
    const env = { PATH: process.env["PATH"], COMMONPLACE_PROJECT: inside, SITE_DIR: "." };
    const named = spawnSync(process.execPath, [program, "snapshots"], { env, encoding: "utf8" });
    expect(named.stderr).not.toMatch(/^Cannot run/);
  });
});
