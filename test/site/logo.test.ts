/** The marks of an owner: a logo in the header, icons from `site/public`, and a second accent. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readSiteConfig } from "../../src/settings/site-config.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

const square = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="${colour}"/></svg>`;

test(
  "logo, icon and second accent of a site reach its pages, and a logo that is missing is refused",
  { tags: "long", timeout: 180_000 },
  async () => {
    const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }] });
    const config = (logo: object): string =>
      `export default ${JSON.stringify({ url: "https://q.example", title: "A <b> title", cards: 0, logo })};\n`;
    const site = folderWith({
      "config.ts": config({ src: "/marks/logo.svg", alt: 'Mine & "yours"' }),
      "public/marks/logo.svg": square("red"),
      "public/icon.svg": square("#00ff00"),
      "styles.css": ":root { --accent-2: #123456; }\n",
    });
    const out = join(tempFolder("logo"), "dist");
    const env = { SITE_DIR: site, STATE_DIR: stateDir, SITE_BASE: "/sub/" };
    const read = (file: string): string => readFileSync(join(out, file), "utf8");
    const build = async () => {
      expect(await run("render", ["--whole", "--out", out], env)).toMatchObject({ status: 0 });
      return run("audit", ["--out", out], env);
    };
    expect(await build()).toMatchObject({ status: 0 });
    const header = /<header class="masthead">.*?<\/a>/s.exec(read("about/index.html"))?.[0];
    expect(header).toContain('<img src="/sub/marks/logo.svg" alt="Mine &amp; &quot;yours&quot;">');
    expect(header).not.toContain("title</bdi>");
    const { dominant } = await sharp(join(out, "apple-touch-icon.png")).stats();
    expect(dominant.g).toBeGreaterThan(dominant.r + 100);
    expect(read("icon.svg")).toBe(square("#00ff00"));

    writeFileSync(join(site, "config.ts"), config({ src: "/marks/logo.svg" }));
    expect(await build()).toMatchObject({ status: 0 });
    expect(read("about/index.html")).toContain("<bdi>A &lt;b&gt; title</bdi></a>");
    rmSync(join(site, "public/marks/logo.svg"));
    const refused = await build();
    expect(refused.status).toBe(65);
    expect(refused.stdout).toContain("/sub/marks/logo.svg");
  },
);

test.each([
  "logo.svg",
  "/../logo.svg",
  "https://elsewhere.example/logo.svg",
  "//x/logo.svg",
  "/a/./b.svg",
])("logo.src %j is refused", (src) => {
  expect(() => readSiteConfig({ logo: { src } })).toThrow(/logo\.src.*path below site\/public/);
});
