/** What a project sets in `astro.config.mjs`: Commonplace refuses what it decides itself, and leaves the rest to Astro. */
import { join } from "node:path";
import type { AstroIntegration, AstroUserConfig } from "astro";
import { validateConfig } from "astro/config";
import { expect, test } from "vitest";
import commonplace from "../../src/commands/astro-integration.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Runs the first hook with a configuration that Astro has read, as Astro does. */
async function setUp(keys: AstroUserConfig): Promise<void> {
  const config = await validateConfig({ integrations: [commonplace()], ...keys }, ROOT, "build");
  const own = config.integrations.find(({ name }) => name === "commonplace");
  const setup = own?.hooks["astro:config:setup"] as (given: object) => Promise<void>;
  await setup({ command: "build", config, updateConfig: () => config });
}

const misspelt = (options: object): AstroIntegration[] => [commonplace(options)];

test.each<[string, AstroUserConfig, RegExp]>([
  ["site", { site: "https://x.example" }, /^Cannot use site: "https:\/\/x\.example" .* SITE_URL/],
  ["base", { base: "/quotes" }, /^Cannot use base: "\/quotes" of astro\.config\.mjs: .* SITE_BASE/],
  ["publicDir", { publicDir: "./static" }, /^Cannot use publicDir: "static" .* site\/public/],
  ["cacheDir", { cacheDir: "./cache" }, /^Cannot use cacheDir: "cache" .* STATE_DIR/],
  ["output", { output: "server" }, /^Cannot use output: "server" .*: remove the key/],
  ["trailingSlash", { trailingSlash: "never" }, /^Cannot use trailingSlash: "never" /],
  ["format", { build: { format: "file" } }, /^Cannot use build\.format: "file" /],
  ["sheets", { build: { inlineStylesheets: "always" } }, /^Cannot use build\.inlineStylesheets: /],
  ["concurrency", { build: { concurrency: 2 } }, /^Cannot use build\.concurrency: 2 /],
  ["conflicts", { prerenderConflictBehavior: "ignore" }, /^Cannot use prerenderConflictBehavior: /],
  ["code", { markdown: { syntaxHighlight: "prism" } }, /^Cannot use markdown\.syntaxHighlight: /],
  [
    "an option of commonplace()",
    { integrations: misspelt({ bulc: [] }) },
    /^Cannot use "bulc" of commonplace\(\) in astro\.config\.mjs: expected bulk$/,
  ],
  [
    "commonplace() twice",
    { integrations: [commonplace(), commonplace()] },
    /^Cannot use integrations of .*: commonplace\(\) is named twice; remove one of them$/,
  ],
])("commonplace() refuses %s with what to do", async (_, keys, message) => {
  await expect(setUp(keys)).rejects.toMatchObject({
    name: "ConfigurationError",
    message: expect.stringMatching(message) as string,
  });
});

test.each<[string, AstroUserConfig]>([
  ["nothing", {}],
  ["an empty list of bulk routes", { integrations: [commonplace({ bulk: [] })] }],
  ["the values that it sets", { output: "static", devToolbar: { enabled: false }, base: "/" }],
  ["the address of the site", { site: "http://localhost:4321/" }],
  ["the folder of its files", { publicDir: "./public", build: { format: "directory" } }],
  ["what it leaves to Astro", { compressHTML: false, redirects: { "/old": "/about/" } }],
  ["other parts of Astro", { vite: { logLevel: "error" }, image: { domains: ["x.example"] } }],
  ["another integration", { integrations: [{ name: "own", hooks: {} }, commonplace()] }],
])("commonplace() accepts %s", async (_, keys) => {
  await expect(setUp(keys)).resolves.toBeUndefined();
});
