/** `npm run eject -- NAME`: writes an override of a component into `site/`. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { nameOf } from "../files/name-of.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import { ejected } from "../themes/eject.ts";
import { siteFolder } from "../themes/site-folder.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export function run({ words: [name = ""] }: ProgramContext): Outcome {
  const { file, use, text } = ejected(name);
  const path = join(siteFolder() ?? join(PROJECT_ROOT, "site"), file);
  if (existsSync(path))
    throw new UsageError(`Cannot eject ${name}: ${nameOf(path)} already exists`);
  makeFolder(dirname(path));
  atomicWrite(path, text);
  return { text: nameOf(path), result: { file: path, component: file, use } };
}
