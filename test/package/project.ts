/** A project that has Commonplace as a package, with no other packages than those that the package names. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { writePackage } from "../../scripts/package/write.ts";
import { folderWith } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

export const NAME = "astro-commonplace";

/** Writes the package below the project, and links the packages that it needs, as an installation by npm would place them. */
export function installPackage(project: string): void {
  const folder = join(project, "node_modules", NAME);
  writePackage(folder);
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<"dependencies" | "peerDependencies" | "peerDependenciesMeta", object>;
  const needed = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !Object.hasOwn(peerDependenciesMeta, name),
  );
  for (const name of needed) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link);
  }
}

/** Runs the program of the package in the project's folder. */
export function runIn(project: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = join(project, "node_modules", NAME, "scripts/commonplace.mjs");
  return spawnSync(process.execPath, [program, ...args], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: project, ...env },
    encoding: "utf8",
  });
}

export const writeProject = (files: Readonly<Record<string, string>>, folder?: string): string =>
  folderWith({ "package.json": '{ "type": "module", "private": true }', ...files }, folder);
