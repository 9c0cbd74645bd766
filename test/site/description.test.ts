/** What a site says of itself, in the language of each page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSiteConfig } from "../../src/settings/site-config.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

/** Renders a site of a quote in each of three languages. @returns what a page has: its tagline, and its description */
async function renderSaying(said: object) {
  const quotes = ["en", "de", "fr"].map((language, index) => ({ id: index + 1, language }));
  const { stateDir } = makeSnapshot({ quotes });
  const config = { url: "https://q.example", cards: 0, ...said };
  const site = folderWith({ "config.ts": `export default ${JSON.stringify(config)};\n` });
  const out = join(tempFolder("description"), "dist");
  const env = { SITE_DIR: site, STATE_DIR: stateDir };
  expect(await run("render", ["--whole", "--out", out], env)).toMatchObject({ status: 0 });
  const page = (file: string) => readFileSync(join(out, file), "utf8");
  return {
    tagline: (file: string) => /<p class="tagline">\s*(<bdi.*?<\/bdi>)/s.exec(page(file))?.[1],
    described: (file: string) => /<meta name="description" content="([^"]*)"/.exec(page(file))?.[1],
    structured: (file: string) => /"description":"([^"]*)"/.exec(page(file))?.[1],
  };
}

test(
  "pages in a language have the site's description in it",
  { tags: "long", timeout: 180_000 },
  async () => {
    const descriptions = { de: "Sätze, die bleiben <3." };
    const { tagline, described } = await renderSaying({ description: "To keep.", descriptions });
    expect(tagline("index.html")).toBe("<bdi>To keep.</bdi>");
    expect(tagline("de/index.html")).toBe("<bdi>Sätze, die bleiben &lt;3.</bdi>");
    expect(tagline("fr/index.html")).toBe('<bdi lang="en">To keep.</bdi>');
    expect(described("de/index.html")).toContain("Sätze, die bleiben");
    expect(described("de/index.html")).not.toContain("To keep");
    expect(described("fr/index.html")).toContain("To keep.");
  },
);

test(
  "a site without a description has one in each language",
  { tags: "long", timeout: 180_000 },
  async () => {
    const { tagline, described, structured } = await renderSaying({ language: "de" });
    expect(tagline("index.html")).toBe("<bdi>Sätze, die man behalten will.</bdi>");
    expect(tagline("fr/index.html")).toBe("<bdi>Des phrases à garder.</bdi>");
    expect(described("fr/index.html")).toContain("Des phrases à garder.");
    expect(structured("fr/index.html")).toBe("Des phrases à garder.");
  },
);

test.each([
  [{ "not a code": "x" }, /descriptions/],
  [{ de: 1 }, /descriptions\.de/],
])("descriptions %j are refused", (descriptions, message) => {
  expect(() => readSiteConfig({ descriptions })).toThrow(message);
});
