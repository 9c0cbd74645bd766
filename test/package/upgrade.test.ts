/** A project is upgraded to a version that moved a component and renamed a key: it is told both, and only changed pages are written. */
// @module-tag long
import { globSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { filesIn } from "../support/run/index.ts";
import { LONG_MS } from "../support/tier.ts";
import { installPackage, NAME, runIn, writeProject } from "./project.ts";

const FILES = {
  "site/config.ts": `import { defineSite } from "${NAME}/config";
export default defineSite({ title: "Quotes", data: "site/quotes.csv", dataLanguage: "en" });
`,
  "site/quotes.csv":
    "pk,quote,author,tags\n1,The sea is patient.,Anon,hope\n2,A line remains.,Someone,hope\n",
  "site/components/chrome/Facts.astro": `---
import type { FactsProps } from "${NAME}/components";
import Facts from "${NAME}/components/chrome/Facts.astro";

type Props = FactsProps;
---
<div data-own="facts"><Facts {...Astro.props} /></div>
`,
  "site/pages/own.astro": `---
import Page from "${NAME}/layouts/Page.astro";
---
<Page title="Own" path="/own/"><h1>Own</h1></Page>
`,
};

const TIME = { SITE_DATE: "2026-11-20", SITE_NOW: "2026-11-20T03:00:00Z" };

/** Makes 1.1.0 of the installed package: `Facts` is in another folder, and `dataLanguage` has another name. */
function upgrade(project: string): void {
  const folder = join(project, "node_modules", NAME);
  const edit = (file: string, change: (text: string) => string): void => {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };
  renameSync(
    join(folder, "src/components/chrome/Facts.astro"),
    join(folder, "src/components/lists/Facts.astro"),
  );
  for (const file of globSync("src/**/*.{js,ts,astro}", { cwd: folder })) {
    edit(file, (text) =>
      text
        .replaceAll("components/chrome/Facts", "components/lists/Facts")
        .replace(/\bdataLanguage\b/g, "quotesLanguage"),
    );
  }
  edit("package.json", (text) =>
    text
      .replace('"version": "1.0.0"', '"version": "1.1.0"')
      .replaceAll("components/chrome/Facts", "components/lists/Facts"),
  );
  edit("src/settings/moved.js", (text) =>
    text
      .replace(
        /MOVED_COMPONENTS = \{\}/,
        'MOVED_COMPONENTS = { "components/chrome/Facts.astro": { to: "components/lists/Facts.astro", since: "1.1" } }',
      )
      .replace(
        /MOVED_KEYS = \{\}/,
        'MOVED_KEYS = { dataLanguage: { to: "quotesLanguage", since: "1.1" } }',
      ),
  );
}

describe("an upgrade of the package", () => {
  const project = realpathSync(writeProject(FILES));
  const made = (file: string): string => readFileSync(join(project, "dist", file), "utf8");
  const build = () => runIn(project, ["build", "--quiet", "--json"], TIME);
  let before: readonly string[];
  let quote: string;
  let after: ReturnType<typeof runIn>;

  beforeAll(() => {
    installPackage(project);
    expect(build()).toMatchObject({ status: 0, stderr: "" });
    expect(made("about/index.html")).toContain('data-own="facts"');
    before = filesIn(join(project, "dist"));
    quote = made("quote/1/index.html");
    upgrade(project);
    after = build();
  }, LONG_MS);

  test("succeeds, and names the new place of the component and the new name of the key", () => {
    expect(after).toMatchObject({ status: 0, stderr: "" });
    const report = readFileSync(join(project, ".commonplace/report.md"), "utf8").replaceAll(
      "\\",
      "",
    );
    expect(report).toContain("since 1.1 it is components/lists/Facts.astro");
    expect(report).toMatch(/dataLanguage of .*config\.ts:2 has an old name.*it is quotesLanguage/);
  });

  test("keeps the override at the old place, the addresses and the state", () => {
    expect(made("about/index.html")).toContain('data-own="facts"');
    const isPage = (file: string): boolean => file.endsWith(".html");
    expect(filesIn(join(project, "dist")).filter(isPage)).toEqual(before.filter(isPage));
    expect(JSON.parse(after.stdout)).toMatchObject({
      harvest: { night: { change: { added: 0, changed: 0, removed: 0 } } },
      audit: { total: 0 },
    });
  });

  test("writes again only what changed", () => {
    expect(made("quote/1/index.html")).toBe(quote);
    const { render } = JSON.parse(after.stdout) as { render: { written: number; pages: number } };
    expect(render.written).toBeLessThan(render.pages / 4);
  });
});
