/** `eject`: every promised component becomes a file of the site that imports public names alone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageManifest, type Manifest } from "../../scripts/package/manifest.ts";
import { COMPONENTS } from "../../src/themes/components.ts";
import { ejected } from "../../src/themes/eject.ts";
import { run, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const { exports } = packageManifest(
  JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest,
);
const promised = Object.entries(COMPONENTS).filter(([, { use }]) => use !== "private");

test.each(promised)("the override of %s imports what is exported", (path, row) => {
  const { file, use, text } = ejected(path);
  expect({ file, use }).toEqual({ file: `${path}.astro`, use: row.use });
  const imports = text.matchAll(/\b(?:from|import) ["']([^"']+)["']/g);
  const sources = Array.from(imports, ([, source = ""]) => source);
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) {
    expect(exports).toHaveProperty([source.replace(/^astro-commonplace/, ".")]);
  }
  expect(sources.includes(`astro-commonplace/${file}`)).toBe(use === "wrap");
});

test("eject takes a name alone, keeps a file that exists, and refuses what is private or unknown", async () => {
  const site = tempFolder("site");
  const eject = (name: string) => run("eject", [name], { SITE_DIR: site });
  expect(await eject("masthead")).toMatchObject({ status: 0 });
  const again = await eject("components/chrome/Masthead.astro");
  expect(again).toMatchObject({ status: 64 });
  expect(again.stderr).toMatch(/^Cannot eject .*Masthead\.astro already exists/);
  const hidden = await eject("VoteForms");
  expect(hidden).toMatchObject({ status: 64 });
  expect(hidden.stderr).toContain("it is private");
  const unknown = await eject("Mastheed");
  expect(unknown).toMatchObject({ status: 64 });
  expect(unknown.stderr).toContain("did you mean components/chrome/Masthead.astro?");
  expect(existsSync(join(site, "components/vote"))).toBe(false);
});
