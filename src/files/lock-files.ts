/** The files in which npm, pnpm, yarn and bun keep the versions of a project's packages. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const NAMES = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

/** Those that a project has: with other packages, neither a page nor a verdict of before is current. */
export const lockFilesOf = (root: string): string[] =>
  NAMES.map((name) => join(root, name)).filter((file) => existsSync(file));
