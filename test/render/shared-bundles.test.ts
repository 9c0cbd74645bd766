/** Several builds share a folder of kept bundles: shards of one machine, or sites that one job builds at the same time. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { digestModules } from "../../src/render/bundle-inputs.ts";
import { KeptBundle, type BundleRecord } from "../../src/render/kept-bundle.ts";
import { tempFolder } from "../support/run/index.ts";

const RECORD: BundleRecord = {
  ...{ digest: "a", hasMiddleware: false, modules: [], inputs: digestModules([]), outDir: null },
  state: { entry: "app.mjs", styles: [], images: [] },
};
const folder = tempFolder("shared-bundles");
const [parent, pages, site, out] = ["bundles", "pages", "site", "out"].map((name) =>
  join(folder, name),
) as [string, string, string, string];

beforeEach(() => {
  for (const path of [parent, pages, site, out]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  writeFileSync(join(pages, "app.mjs"), "export const app = 1;\n");
  writeFileSync(join(site, "app.css"), "body { color: red }\n");
});

const save = (key: string): void => {
  new KeptBundle(parent, key, []).save(RECORD, [pages, ["app.mjs"]], [site, ["app.css"]]);
};
const restore = (key: string): BundleRecord | null =>
  new KeptBundle(parent, key, []).restore(join(out, "pages"), join(out, "site"));

test("a bundle that another build is writing is left alone, and one that a killed build left is removed", () => {
  for (const name of ["1.unfinished", "2.unfinished"]) mkdirSync(join(parent, name));
  utimesSync(join(parent, "1.unfinished"), 1e9, 1e9);
  for (let at = 0; at < 12; at++) save(`key${at}`);
  const kept = readdirSync(parent);
  expect(kept).toContain("2.unfinished");
  expect(kept).not.toContain("1.unfinished");
  expect(kept.filter((name) => name.startsWith("key"))).toHaveLength(8);
});

test("a bundle that is used stays while others come, and one that is used by no build goes", () => {
  for (let at = 0; at < 8; at++) {
    save(`key${at}`);
    utimesSync(join(parent, `key${at}`, "bundle.json"), 1e9 + at, 1e9 + at);
  }
  expect(restore("key0")).toEqual(RECORD);
  save("new");
  expect(existsSync(join(parent, "key0"))).toBe(true);
  expect(existsSync(join(parent, "key1"))).toBe(false);
});

test("a bundle that is damaged or gone counts as none", () => {
  expect(restore("key")).toBeNull();
  save("key");
  expect(restore("key")).toEqual(RECORD);
  expect(existsSync(join(out, "pages", "app.mjs"))).toBe(true);
  rmSync(join(parent, "key", "pages", "app.mjs"));
  expect(restore("key")).toBeNull();
});

test("builds that keep the same and other bundles at the same time all end", async () => {
  const module = pathToFileURL(join(import.meta.dirname, "../../src/render/kept-bundle.ts")).href;
  const code = `import { KeptBundle } from ${JSON.stringify(module)};
    const [parent, pages, site, record] = JSON.parse(process.argv[1]);
    for (let at = 0; at < 100; at++)
      new KeptBundle(parent, "key" + at % 12, []).save(record, [pages, ["app.mjs"]], [site, ["app.css"]]);`;
  const given = JSON.stringify([parent, pages, site, RECORD]);
  const build = async (): Promise<string> => {
    const child = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      code,
      given,
    ]);
    return child.stderr;
  };
  expect(await Promise.all([build(), build(), build(), build()])).toEqual(["", "", "", ""]);
  expect(readdirSync(parent).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
  expect(restore("key3")).toEqual(RECORD);
});
