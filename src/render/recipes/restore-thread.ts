/**
 * A thread that writes lost pages again. It knows files alone, and nothing of Astro: it begins while that is still loading.
 *
 * A page is whole in memory, and its checksum the ledger's, before its file is made. The file is new, is written from its
 * beginning and dated last: until its last byte is there it has not the length that the ledger knows, so that what a
 * killed thread left half is not taken for a page.
 */
import { closeSync, futimesSync, lstatSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort } from "node:worker_threads";
import { Folders } from "../../files/folders.ts";
import { FragmentBytes } from "../fragments/bytes.ts";
import { failureOf } from "../work/failure.ts";
import { HELD } from "../../sqlite/flush.ts";
import { Assembler } from "./assembler.ts";
import { readBlock } from "./block.ts";
import { FIELD_COUNT, FIELDS, type Ended, type Orders } from "./orders.ts";

/** Something else has the name, or one on the way to it: the page is rendered, and the writer deals with that. */
const IN_THE_WAY = new Set(["EEXIST", "EISDIR", "ELOOP", "ENOENT", "ENOTDIR"]);

function restore(orders: Orders): void {
  const { outDir, blind, numbers, starts, next, done } = orders;
  const paths = orders.paths.split("\n");
  const recipes = openSync(orders.recipes, "r");
  const fragments = openSync(orders.fragments.file, "r");
  const assembler = new Assembler(new FragmentBytes(fragments, orders.fragments));
  const folders = new Folders(outDir);
  for (let group = take(); group + 1 < starts.length; group = take()) {
    const from = starts[group] ?? 0;
    const block = readBlock(recipes, numbers[from * FIELD_COUNT + FIELDS.block] ?? 0);
    if (block === undefined) continue;
    for (let index = from; index < (starts[group + 1] ?? 0); index++) {
      const fact = (field: keyof typeof FIELDS): number =>
        numbers[index * FIELD_COUNT + FIELDS[field]] ?? 0;
      const file = paths[index] ?? "";
      const path = join(outDir, file);
      folders.check(dirname(file));
      if (!blind && lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      const page = assembler.page(block, fact("place"), fact("size"), fact("checksum"));
      if (page !== undefined && write(folders, file, page, fact("mtime"))) done[index] = 1;
    }
  }
  for (const file of [recipes, fragments]) closeSync(file);

  function take(): number {
    return Atomics.add(next, 0, 1);
  }
}

/** @returns false when something is in the way */
function write(folders: Folders, name: string, page: Buffer, mtime: number): boolean {
  const path = join(folders.root, name);
  let file;
  try {
    folders.make(dirname(name));
    file = openSync(path, "wx");
  } catch (error) {
    if (IN_THE_WAY.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
  try {
    for (let at = 0; at < page.length;) at += writeSync(file, page, at);
    // Node's permission model lets nobody date an open file.
    if (!HELD) futimesSync(file, mtime, mtime);
  } finally {
    closeSync(file);
  }
  if (HELD) utimesSync(path, mtime, mtime);
  return true;
}

parentPort?.once("message", (orders: Orders) => {
  let ended: Ended = null;
  try {
    restore(orders);
  } catch (error) {
    ended = failureOf(error);
  }
  parentPort?.postMessage(ended);
});
