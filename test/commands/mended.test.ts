/** An own site over several builds: what a mistake left is gone once it is mended, and pages agree on what they show. */
// @module-tag long
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { folderWith, run, tempFolder } from "../support/run/index.ts";

const SECRET = "e6b1f0c2a94d47d38b5f";

const folder = tempFolder("mended");
const [outDir, stateDir] = [join(folder, "dist"), join(folder, "state")];
const site = folderWith({
  "config.ts": `export default { url: "https://drawer.example", cards: 0, dataLanguage: "en",
    title: "A drawer", data: ${JSON.stringify(join(folder, "quotes.csv"))} };\n`,
  "styles.css": ".first { color: red; }\n",
});
folderWith({ "quotes.csv": "quote,author,tags\nOne sentence.,A writer,\n" }, folder);

const build = async (): Promise<number | null> => {
  const variables = { SITE_DIR: site, STATE_DIR: stateDir, QUOTES_TOKEN: SECRET };
  const { status, stderr } = await run("build", ["--out", outDir, "--quiet"], variables);
  expect([0, 65], stderr).toContain(status);
  return status;
};
const sheets = (): Set<string> => new Set(globSync("_astro/*.css", { cwd: outDir }));

beforeAll(async () => {
  expect(await build()).toBe(0);
});

describe("a sheet that the audit refuses", () => {
  test("is gone once it is mended, and that of the published build stays for one more", async () => {
    const published = sheets();
    folderWith({ "styles.css": "body { background: url(https://x.example/a.png); }\n" }, site);
    expect(await build()).toBe(65);
    const refused = sheets().difference(published);
    expect(refused.size).toBeGreaterThan(0);

    folderWith({ "styles.css": ".second { color: red; }\n" }, site);
    expect(await build()).toBe(0);
    const mended = sheets();
    expect(mended.intersection(refused)).toEqual(new Set());
    expect(mended.isSupersetOf(published)).toBe(true);
    expect(mended.size).toBeGreaterThan(published.size);

    expect(await build()).toBe(0);
    expect(sheets().isSupersetOf(published)).toBe(false);
  });
});

describe("a public file with a secret", () => {
  test("is gone together with the last folder of public files", async () => {
    folderWith({ "public/t.txt": `The token is ${SECRET}.\n` }, site);
    expect(await build()).toBe(65);
    rmSync(join(site, "public"), { recursive: true });
    expect(await build()).toBe(0);
    expect(existsSync(join(outDir, "t.txt"))).toBe(false);
    expect(existsSync(join(stateDir, "public/t.txt"))).toBe(false);
  });
});

describe("a component that reads the whole collection", () => {
  test("shows the same on every page, also on those whose quotes are unchanged", async () => {
    const component = `---
import { openSite } from "astro-commonplace/site";
---
<p data-total={openSite().summary().quotes}></p>
`;
    folderWith({ "components/slots/AfterQuote.astro": component }, site);
    const lines = Array.from({ length: 24 }, (_, at) => `Sentence ${at}.,Writer ${at % 8},`);
    for (const count of [24, 23]) {
      const quotes = ["quote,author,tags", ...lines.slice(0, count)].join("\n");
      folderWith({ "quotes.csv": `${quotes}\n` }, folder);
      expect(await build()).toBe(0);
      const pages = globSync("**/*.html", { cwd: outDir }).map((file) =>
        readFileSync(join(outDir, file), "utf8"),
      );
      const totals = pages.flatMap((page) => page.match(/data-total="\d+"/g) ?? []);
      expect(new Set(totals)).toEqual(new Set([`data-total="${count}"`]));
    }
  });
});
