/** The packed file as others judge it: its size, and what publint and "Are the types wrong?" say. */
// @module-tag long
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";
import { LONG_MS } from "../support/tier.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("the packed package", () => {
  const folder = tempFolder("packed");
  let file: string;

  beforeAll(() => {
    execFileSync(process.execPath, ["scripts/package.ts", folder], { cwd: ROOT, stdio: "ignore" });
    [file = ""] = globSync("*.tgz", { cwd: folder });
    execFileSync("tar", ["xzf", file], { cwd: folder });
  }, LONG_MS);

  test("is smaller than 600 kB, and has no file that a user cannot use", () => {
    expect(statSync(join(folder, file)).size).toBeLessThan(600_000);
    const files = globSync("package/**/*", { cwd: folder });
    expect(
      files.filter((name) => /package\/(?:test|docs|scripts\/bench|\.github)\//.test(name)),
    ).toEqual([]);
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test("publint finds nothing", async () => {
    const { messages } = await publint({ pkgDir: join(folder, "package"), strict: true });
    expect(messages).toEqual([]);
  });

  test("every module has types that fit it", { timeout: LONG_MS }, async () => {
    const packed = createPackageFromTarballData(readFileSync(join(folder, file)));
    const checked = await checkPackage(packed);
    if (checked.types === false) throw new Error("The package has no types");
    // Those of Astro and of CSS are read by Astro's compiler, and by the bundler.
    const modules = Object.keys(checked.entrypoints).filter(
      (path) => !/\.(?:astro|css|json)$|tsconfig$/.test(path),
    );
    expect(modules).toContain("./harvest");
    // What CommonJS and TypeScript's old resolution see is left out: Node 24 imports modules.
    for (const path of modules) {
      for (const kind of ["node16-esm", "bundler"] as const) {
        const { resolution } = checked.entrypoints[path]?.resolutions[kind] ?? {};
        expect([path, kind, resolution?.isTypeScript]).toEqual([path, kind, true]);
      }
    }
    const problems = checked.problems.filter(
      (problem) =>
        !("entrypoint" in problem && !modules.includes(problem.entrypoint)) &&
        !("resolutionKind" in problem && /^node(?:10|16-cjs)$/.test(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });
});
