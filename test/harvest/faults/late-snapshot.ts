/** Loaded before a program, a seeded fault: the snapshot is renamed only after the pointer names it. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { renameSync } = fs;
let late: readonly [fs.PathLike, fs.PathLike] | null = null;

fs.renameSync = (from, to) => {
  if (/[/\\]snapshots[/\\][^/\\]+\.sqlite$/.test(String(to))) {
    late = [from, to];
    return;
  }
  renameSync(from, to);
  if (late !== null) renameSync(...late);
  late = null;
};
syncBuiltinESMExports();
