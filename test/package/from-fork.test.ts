/** docs/from-fork.md: the folder `site/` and the state of a fork make the same pages in a project with the package. */
// @module-tag long
import { cpSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { filesIn, folderWith, run, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { LONG_MS } from "../support/tier.ts";
import { installPackage, runIn, writeProject } from "./project.ts";

/** As a fork has it that was made before the first release. */
const SITE = {
  "config.ts": `import { defineSite } from "commonplace/config";
export default defineSite({ title: "Bonmots", language: "pl" });
`,
  "components/chrome/Heading.astro": `---
import Heading from "commonplace/components/chrome/Heading.astro";
---
<div data-own="heading"><Heading {...Astro.props}><slot /></Heading></div>
`,
  "pages/best.astro": `---
import Page from "commonplace/layouts/Page.astro";
import { openSite } from "commonplace/site";
import { isUnlisted } from "commonplace/internal";
---
<Page title="Best"><h1>Best</h1><p>{openSite().top(1)[0]?.quote.text} {String(isUnlisted("/x/"))}</p></Page>
`,
};

const TIME = { SITE_DATE: "2026-11-20", SITE_NOW: "2026-11-20T03:00:00Z" };

describe("a fork that moves to the package", () => {
  const fork = folderWith(SITE);
  const forkOut = join(tempFolder("fork"), "dist");
  const project = realpathSync(writeProject({}));

  beforeAll(async () => {
    const { stateDir } = makeSnapshot({ quotes: [{ id: 1, tags: ["hope"] }, { id: 2 }] });
    const args = ["--state", stateDir, "--out", forkOut, "--quiet"];
    const made = await run("render", args, { SITE_DIR: fork, ...TIME });
    expect(made).toMatchObject({ status: 0 });
    installPackage(project);
    rmSync(join(project, "site"), { recursive: true, force: true });
    cpSync(fork, join(project, "site"), { recursive: true });
    cpSync(stateDir, join(project, ".commonplace"), { recursive: true });
  }, LONG_MS);

  test("has the same pages as before", () => {
    const made = runIn(project, ["render", "--quiet"], TIME);
    expect(made).toMatchObject({ status: 0, stderr: "" });
    const isPage = (file: string): boolean => /\.(?:html|xml|json)$/.test(file);
    const pages = filesIn(forkOut).filter((file) => isPage(file) && file !== "build.json");
    const ours = filesIn(join(project, "dist")).filter(isPage);
    expect(ours.filter((file) => file !== "build.json")).toEqual(pages);
    expect(pages).toContain("best/index.html");
    const differing = pages.filter(
      (file) =>
        !readFileSync(join(project, "dist", file)).equals(readFileSync(join(forkOut, file))),
    );
    expect(differing).toEqual([]);
  });
});
