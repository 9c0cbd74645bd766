/** Two sites of one installation, as in a workspace: they share caches and nothing else. */
// @module-tag long
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { filesIn, tempFolder } from "../support/run/index.ts";
import { LONG_MS } from "../support/tier.ts";
import { installPackage, NAME, writeProject } from "./project.ts";

/** Each site has a word that the other must not have. */
const WORDS = { first: "aardvarks", second: "zebrafish" } as const;

type Site = keyof typeof WORDS;

const SITES = Object.keys(WORDS) as Site[];

const filesOf = (site: Site): Readonly<Record<string, string>> => ({
  [`${site}/package.json`]: '{ "type": "module", "private": true }',
  [`${site}/site/config.ts`]: `import { defineSite } from "${NAME}/config";
export default defineSite({ title: "Of ${WORDS[site]}", data: "site/quotes.csv", dataLanguage: "en" });
`,
  [`${site}/site/quotes.csv`]: `pk,quote,author,tags\n1,So say ${WORDS[site]}.,Anon,hope\n`,
  [`${site}/site/components/slots/BodyEnd.astro`]: `<i>${WORDS[site]}</i>\n`,
  [`${site}/site/styles.css`]: `:root { --${WORDS[site]}: 1; }\n`,
});

function workspaceOf(sites: readonly Site[]): string {
  const files = Object.fromEntries(sites.flatMap((site) => Object.entries(filesOf(site))));
  const folder = realpathSync(writeProject(files));
  installPackage(folder);
  return folder;
}

async function build(workspace: string, site: Site, home: string) {
  const program = join(workspace, "node_modules", NAME, "scripts/commonplace.mjs");
  const child = spawn(process.execPath, [program, "build", "--quiet"], {
    cwd: join(workspace, site),
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      SITE_DATE: "2026-11-20",
      SITE_NOW: "2026-11-20T03:00:00Z",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ status: child.exitCode, stderr }).toEqual({ status: 0, stderr: "" });
}

/** Files below a folder, the packages left out, whose bytes hold a word. */
const filesWith = (folder: string, word: string): string[] =>
  globSync("**/*", { cwd: folder, withFileTypes: true, exclude: (entry) => isPackage(entry.name) })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(word));

const isPackage = (name: string): boolean => name === "node_modules";

describe("two sites of one installation", () => {
  const workspace = workspaceOf(SITES);
  const home = tempFolder("home");

  beforeAll(async () => {
    await Promise.all(SITES.map((site) => build(workspace, site, home)));
  }, LONG_MS);

  test.each([["first", "second"] as const, ["second", "first"] as const])(
    "%s has nothing of %s, and caches hold words of none",
    (site, other) => {
      expect(filesWith(join(workspace, site), WORDS[site]).length).toBeGreaterThan(5);
      expect(filesWith(join(workspace, site), WORDS[other])).toEqual([]);
      const caches = [home, join(workspace, "node_modules/.cache")];
      for (const folder of caches) expect(filesWith(folder, WORDS[site])).toEqual([]);
    },
  );

  test("nothing is written outside of the two projects but caches", () => {
    const found = globSync("*", { cwd: workspace }).sort();
    expect(found).toEqual(["first", "node_modules", "package.json", "second"]);
    const inHome = globSync("**/*", { cwd: home, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(inHome.filter(({ parentPath }) => !parentPath.startsWith(join(home, ".cache")))).toEqual(
      [],
    );
  });

  test("each has the bytes that it has alone", { timeout: LONG_MS }, async () => {
    const alone = workspaceOf(["second"]);
    await build(alone, "second", tempFolder("home"));
    const [ours, theirs] = [workspace, alone].map((folder) => join(folder, "second/dist"));
    const files = filesIn(theirs ?? "");
    expect(filesIn(ours ?? "")).toEqual(files);
    const differing = files.filter(
      (file) =>
        !readFileSync(join(ours ?? "", file)).equals(readFileSync(join(theirs ?? "", file))),
    );
    // They say when the quotes were read.
    expect(differing.filter((file) => !/^(?:build|api\/v1\/index)\.json$/.test(file))).toEqual([]);
  });
});
