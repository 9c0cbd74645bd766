/** `site/config.ts`: what it may say, what a mistake in it is answered with, and that docs/config.md explains all of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { loadSite } from "../../src/themes/site-folder.ts";
import { readSiteConfig, siteConfigSchema } from "../../src/settings/site-config.ts";
import { siteData } from "../../src/settings/site-data.ts";
import { folderWith, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

const siteWith = (config: string, folder?: string): string =>
  folderWith({ "config.ts": config }, folder);

test("loadSite() reads the config, and gives the rest its defaults", async () => {
  const folder = siteWith('const title = "Bonmots";\nexport default { title };\n');
  const { config } = await loadSite({ SITE_DIR: folder });
  expect(config).toEqual({ ...readSiteConfig({}), title: "Bonmots" });
  expect(siteData().config).toEqual(config);
  expect((await loadSite({ SITE_DIR: tempFolder("empty") })).config).toEqual(readSiteConfig({}));
});

test("loadSite() reads a config again that changed", async () => {
  const folder = siteWith('export default { title: "One" };\n');
  await loadSite({ SITE_DIR: folder });
  siteWith('export default { title: "Two" };\n', folder);
  expect((await loadSite({ SITE_DIR: folder })).config.title).toBe("Two");
});

test.each<[string, string, RegExp]>([
  [
    "an unknown key",
    'export default {\n  titel: "x",\n};\n',
    /titel of .*config\.ts:2: .*"title"\?/,
  ],
  [
    "an unknown key inside of another",
    "export default {\n  perPage: 9,\n  hidden: {\n    author: [],\n  },\n};\n",
    /hidden\.author of .*config\.ts:4: .*"authors"\?/,
  ],
  [
    "a budget that is no number",
    "export default {\n  budgets: {\n    html: { tags: 9 },\n  },\n};\n",
    /budgets\.html of .*config\.ts:3: /,
  ],
  [
    "a value of another type",
    "export default {\n\n  perPage: 0,\n};\n",
    /perPage of .*config\.ts:3: /,
  ],
  [
    "a language by its name",
    'export default {\n  dataLanguage: "english",\n};\n',
    /dataLanguage of .*config\.ts:2: expected a language code such as "en"/,
  ],
  [
    "a limit below zero",
    "export default {\n  hostLimits: {\n    files: -1,\n  },\n};\n",
    /hostLimits\.files of .*config\.ts:3: /,
  ],
  [
    "an unknown page in the menu",
    'export default {\n  menu: ["shop"],\n};\n',
    /menu\.0 of .*config\.ts:2: expected one of today, .*, or a link such as/,
  ],
  [
    "a wrong address in the menu",
    'export default {\n  menu: [{ href: "shop", label: "Shop" }],\n};\n',
    /menu\.0\.href of .*config\.ts:2: expected an address such as/,
  ],
  [
    "a whole scheme in what pages may load",
    'export default {\n  allow: {\n    script: ["https:"],\n  },\n};\n',
    /allow\.script\.0 of .*config\.ts:3: expected an origin such as/,
  ],
  ["a wildcard", 'export default { allow: { img: ["https://*.example"] } };\n', /allow\.img\.0 of/],
  ["a star", 'export default { allow: { connect: ["*"] } };\n', /allow\.connect\.0 of/],
  ["plain http", 'export default { allow: { font: ["http://x.example"] } };\n', /allow\.font\.0/],
  ["a path", 'export default { allow: { style: ["https://x.example/a"] } };\n', /allow\.style\.0/],
  [
    "a directive in an origin",
    'export default { allow: { frame: ["https://x.example; script-src *"] } };\n',
    /allow\.frame\.0/,
  ],
  [
    "a kind that is none",
    "export default { allow: { scripts: [] } };\n",
    /allow\.scripts .*"script"\?/,
  ],
  [
    "a tag of the body in the head",
    'export default { head: [{ tag: "img" }] };\n',
    /head\.0\.tag of/,
  ],
  [
    "a handler in the head",
    'export default { head: [{ tag: "link", attrs: { onload: "x" } }] };\n',
    /head\.0\.attrs\.onload of .*expected the name of an attribute/,
  ],
  [
    "code that ends its script",
    'export default { head: [{ tag: "script", content: "</script>" }] };\n',
    /head\.0\.content of/,
  ],
  ["a syntax error", 'export default {\n  title "x",\n};\n', /config\.ts:2: /],
  ["a failure", "const a = 1;\nexport default { title: b };\n", /config\.ts:2: b is not defined/],
  ["a missing import", 'import "./nothing.ts";\n', /config\.ts.*nothing\.ts/],
  [
    "a promise",
    "export default Promise.resolve({});\n",
    /default export of .*an object of settings/,
  ],
  ["a function", "export default () => ({});\n", /default export of .*an object of settings/],
  ["a blank title", 'export default {\n  title: " ",\n};\n', /title of .*config\.ts:2: .*blank/],
  ["no default export", 'export const title = "x";\n', /config\.ts: it has no default export/],
])("%s is refused with the file and the line", async (_, config, message) => {
  const failure = await loadSite({ SITE_DIR: siteWith(config) }).catch((error: unknown) => error);
  const matching = expect.stringMatching(message) as unknown;
  expect(failure).toMatchObject({ name: "ConfigurationError", message: matching });
});

test("an unlisted page may be named without the slash at its end", () => {
  const { unlisted } = readSiteConfig({ unlisted: ["/draft", "/own/", "/old.html"] });
  expect(unlisted).toEqual(expect.arrayContaining(["/draft/", "/own/", "/old.html"]));
});

test("SITE_DIR names a folder", async () => {
  await expect(loadSite({ SITE_DIR: join(tempFolder("a"), "nowhere") })).rejects.toThrow(
    /^Cannot use SITE_DIR: .*is no folder/,
  );
});

/** Every key of the schema, also inside of others: `attribution.name`. */
function keysOf(schema: z.ZodObject, before = ""): string[] {
  return Object.entries(schema.shape).flatMap(([key, value]) => {
    const inner: unknown = value instanceof z.ZodPrefault ? value.unwrap() : value;
    return inner instanceof z.ZodObject ? keysOf(inner, `${before}${key}.`) : [before + key];
  });
}

test("docs/config.md names every key and its default, and no other", () => {
  const text = readFileSync(join(ROOT, "docs/config.md"), "utf8");
  const table = /\| key .*?\n([\s\S]*?)\n(?:\n|$)/.exec(text)?.[1] ?? "";
  const rows = [...table.matchAll(/^\| `([\w.]+)`\s*\|\s*(?:`(.*?)`)?\s*\|/gm)];
  expect(rows.map(([, key]) => key)).toEqual(keysOf(siteConfigSchema));
  const defaults = readSiteConfig({});
  for (const [, key = "", value] of rows) {
    const [outer = "", inner] = key.split(".");
    const own: unknown = defaults[outer as keyof typeof defaults];
    const actual = inner === undefined ? own : (own as Record<string, unknown>)[inner];
    expect(value === undefined ? undefined : JSON.parse(value), key).toEqual(actual);
  }
});
