#!/usr/bin/env node
/**
 * The program `commonplace`: checks Node, enables its compile cache, and runs the command line.
 *
 * On Windows and macOS a folder may be named in another case than its own, `d:\\dev` for `D:\\dev`. Astro and Vite compare names, and a
 * site would lose style sheets. So the working directory and this module are named as the file system names them.
 */
import "./compile-cache.mjs";
import { realpathSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

process.chdir(realpathSync.native(process.cwd()));
// The project that uses this package is where the command begins. Children begin in other folders, and read it here (src/files/roots.ts).
if (/[\\/]node_modules[\\/]/.test(import.meta.filename)) {
  process.env.COMMONPLACE_PROJECT = process.cwd();
}
const file = realpathSync.native(
  fileURLToPath(new URL("../src/commands/main.ts", import.meta.url)),
);
const { main } = await import(pathToFileURL(file).href);
await main();
