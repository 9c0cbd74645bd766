/** What a site says of itself, in the language of each page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSiteConfig } from "../../src/settings/site-config.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

test("pages in a language have the site's description in it", async () => {
  const quotes = ["en", "de", "fr"].map((language, index) => ({ id: index + 1, language }));
  const { stateDir } = makeSnapshot({ quotes });
  const descriptions = { de: "Sätze, die bleiben <3." };
  const config = { url: "https://q.example", description: "To keep.", cards: 0, descriptions };
  const site = folderWith({ "config.ts": `export default ${JSON.stringify(config)};\n` });
  const out = join(tempFolder("description"), "dist");
  const env = { SITE_DIR: site, STATE_DIR: stateDir };
  expect(await run("render", ["--whole", "--out", out], env)).toMatchObject({ status: 0 });
  const tagline = (file: string) =>
    /<p class="tagline">\s*(<bdi.*?<\/bdi>)/s.exec(readFileSync(join(out, file), "utf8"))?.[1];
  const described = (file: string) =>
    /<meta name="description" content="([^"]*)"/.exec(readFileSync(join(out, file), "utf8"))?.[1];
  expect(tagline("index.html")).toBe("<bdi>To keep.</bdi>");
  expect(tagline("de/index.html")).toBe("<bdi>Sätze, die bleiben &lt;3.</bdi>");
  expect(tagline("fr/index.html")).toBe('<bdi lang="en">To keep.</bdi>');
  expect(described("de/index.html")).toContain("Sätze, die bleiben");
  expect(described("de/index.html")).not.toContain("To keep");
  expect(described("fr/index.html")).toContain("To keep.");
}, 180_000);

test.each([
  [{ "not a code": "x" }, /descriptions/],
  [{ de: 1 }, /descriptions\.de/],
])("descriptions %j are refused", (descriptions, message) => {
  expect(() => readSiteConfig({ descriptions })).toThrow(message);
});
