/** A machine without fontconfig, such as a slim container: a build has the fonts of Open Graph images with it. */
// @module-tag long
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, start, tempFolder } from "../support/run/index.ts";
import { LONG_MS } from "../support/tier.ts";

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><text y="15">Q</text></svg>';

test.each([
  ["the mark of the project", {}, []],
  [
    "a mark that has text",
    { "public/icon.svg": MARK },
    ["Fontconfig error: Cannot load default config file"],
  ],
])(
  "a build without fontconfig draws every image, and says in one line at most what is missing: %s",
  { timeout: LONG_MS },
  async (_, files, said) => {
    const site = folderWith({ "config.ts": "export default { title: 'A' };\n", ...files });
    const data = join(folderWith({ "quotes.csv": "quote,author\nThe sea.,Anon\n" }), "quotes.csv");
    const args = [
      "--state",
      tempFolder("state"),
      "--out",
      join(tempFolder("out"), "dist"),
      "--json",
    ];
    const { finished } = start("build", args, {
      SITE_DIR: site,
      QUOTES_DATA: data,
      FONTCONFIG_FILE: "/nonexistent/fonts.conf",
      FONTCONFIG_PATH: "/nonexistent",
    });
    const { status, stdout, stderr } = await finished;
    expect(status, stderr).toBe(0);
    const { cards } = JSON.parse(stdout) as { cards: { made: number; skipped: number } };
    expect(cards).toMatchObject({ skipped: 0 });
    expect(cards.made).toBeGreaterThan(3);
    const lines = stderr.split("\n").filter((line) => /fontconfig/i.test(line));
    expect(lines.map((line) => line.replace(/:[^:]*:[^:]*$/, ""))).toEqual(said);
  },
);
