/** A new user's first minutes with npm, pnpm and yarn, from a registry: `init`, install, build. */
// @module-tag long
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesIn, folderWith, tempFolder } from "../support/run/index.ts";
import { LONG_MS } from "../support/tier.ts";
import { INSTALLERS, runInstaller, type Installer } from "./installers.ts";
import { NAME } from "./project.ts";
import { startRegistry } from "./registry.ts";

const ROOT = join(import.meta.dirname, "../..");

const QUOTES = "pk,quote,author,tags\n1,The sea is patient.,Anon,hope\n2,A line remains.,,hope\n";

/** They say when the quotes were read. */
const WITH_TIME = ["build.json", "api/v1/index.json"];

describe("from a registry", () => {
  const folder = tempFolder("packed");
  let registry: Awaited<ReturnType<typeof startRegistry>>;

  beforeAll(async () => {
    execFileSync(process.execPath, ["scripts/package.ts", folder], { cwd: ROOT, stdio: "ignore" });
    const [file = ""] = globSync("*.tgz", { cwd: folder });
    execFileSync("tar", ["xzf", file, "package/package.json"], { cwd: folder });
    const manifest = JSON.parse(
      readFileSync(join(folder, "package/package.json"), "utf8"),
    ) as Parameters<typeof startRegistry>[1];
    registry = await startRegistry(join(folder, file), manifest);
  }, LONG_MS);

  afterAll(() => registry.stop());

  /** Makes a project with an installer's own commands, and builds it. */
  async function madeWith(installer: Installer): Promise<string> {
    const home = folderWith(installer.settings(registry.address));
    const parent = tempFolder("projects");
    const run = async (cwd: string, ...args: string[]) => {
      const ended = await runInstaller(installer, args, { cwd, home });
      expect(ended.status, `${args.join(" ")}: ${ended.stdout}${ended.stderr}`).toBe(0);
      return ended;
    };
    await run(parent, ...installer.execute, NAME, "init", "mine", "--data", "site/quotes.csv");
    const project = join(parent, "mine");
    writeFileSync(join(project, "site/quotes.csv"), QUOTES);
    await run(project, "install");
    const { stdout } = await run(project, "run", "build");
    expect(stdout).toContain("audit");
    return project;
  }

  const sites = new Map<string, string>();

  for (const installer of INSTALLERS) {
    const isMissing = installer.script === null;
    const why = isMissing ? " (skipped: it is not installed)" : "";
    test.skipIf(isMissing)(
      `${installer.name} makes a site${why}`,
      { timeout: LONG_MS },
      async () => {
        const project = await madeWith(installer);
        sites.set(installer.name, project);
        expect(existsSync(join(project, "node_modules/quote-library"))).toBe(false);
        expect(readFileSync(join(project, "dist/tag/hope/index.html"), "utf8")).toContain(
          'id="q1"',
        );
      },
    );
  }

  test("all of them make the same bytes", () => {
    expect(sites.size).toBe(INSTALLERS.filter(({ script }) => script !== null).length);
    const [first = "", ...others] = [...sites.values()].map((project) => join(project, "dist"));
    const files = filesIn(first);
    expect(files.length).toBeGreaterThan(20);
    for (const other of others) {
      expect(filesIn(other)).toEqual(files);
      const differing = files.filter(
        (file) => !readFileSync(join(first, file)).equals(readFileSync(join(other, file))),
      );
      expect(differing.filter((file) => !WITH_TIME.includes(file))).toEqual([]);
    }
  });
});
