/** The packed file as others judge it: its size, and what publint and "Are the types wrong?" say. Both come from the registry. */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";
import { LONG, LONG_MS } from "../support/tier.ts";

const ROOT = join(import.meta.dirname, "../..");

describe.skipIf(!LONG)("the packed package", () => {
  const folder = tempFolder("packed");
  let file: string;
  let exports: string[];

  const judge = (...command: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("npx", ["--yes", ...command], {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };

  beforeAll(() => {
    execFileSync(process.execPath, ["scripts/package.ts", folder], { cwd: ROOT, stdio: "ignore" });
    [file = ""] = globSync("*.tgz", { cwd: folder });
    execFileSync("tar", ["xzf", file], { cwd: folder });
    const manifest = readFileSync(join(folder, "package/package.json"), "utf8");
    ({ exports } = { exports: Object.keys((JSON.parse(manifest) as { exports: object }).exports) });
  }, LONG_MS);

  test("is smaller than 600 kB, and has no file that a user cannot use", () => {
    expect(statSync(join(folder, file)).size).toBeLessThan(600_000);
    const files = globSync("package/**/*", { cwd: folder });
    expect(
      files.filter((name) => /package\/(?:test|docs|scripts\/bench|\.github)\//.test(name)),
    ).toEqual([]);
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test("publint finds nothing", () => {
    expect(judge("publint@0.3.25", "--strict", "package")).toMatchObject({ status: 0 });
  });

  test("every module has types that fit it", () => {
    // Those of Astro and of CSS are read by Astro's compiler, and by the bundler.
    const others = exports.filter((path) => /\.(?:astro|css|json)$|tsconfig$/.test(path));
    const args = ["--profile", "esm-only", "--exclude-entrypoints"];
    const names = others.map((path) => path.slice("./".length));
    const judged = judge("@arethetypeswrong/cli@0.18.5", file, ...args, ...names);
    expect(judged).toMatchObject({ status: 0 });
    expect(judged.output).toContain("astro-commonplace/harvest");
  });
});
