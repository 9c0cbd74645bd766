/** What the actions of the workflows do, without a network: files kept, and files handed on. */
import { cpSync, existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import type { Machine } from "./machine.ts";

/** What outlives a job: caches and artifacts, and what was put on Pages. */
export interface Keep {
  readonly folder: string;
  /** Keys of caches, oldest first. */
  readonly caches: string[];
  deployed: boolean;
}

type Action = (
  machine: Machine,
  given: Readonly<Record<string, string>>,
  keep: Keep,
) => Record<string, string> | undefined;

export const PAGES = { origin: "https://someone.example", base_path: "/quotes" };

const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true, force: true });

/** By the part of `uses` before the `@`. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  "actions/checkout": () => undefined,
  "actions/setup-node": () => undefined,
  "actions/configure-pages": () => PAGES,
  "actions/cache/restore": (
    machine,
    { path = "", key = "", "restore-keys": prefix = "" },
    keep,
  ) => {
    const found = keep.caches.findLast((cache) => cache === key || cache.startsWith(prefix.trim()));
    if (found !== undefined) copy(join(keep.folder, "caches", found), join(machine.folder, path));
    return undefined;
  },
  "actions/cache/save": (machine, { path = "", key = "" }, keep) => {
    if (keep.caches.includes(key)) throw new Error(`Cannot save ${key}: it is there`);
    if (!existsSync(join(machine.folder, path))) return undefined;
    copy(join(machine.folder, path), join(keep.folder, "caches", key));
    keep.caches.push(key);
    return undefined;
  },
  "actions/upload-artifact": (machine, { path = "", name = "" }, keep) => {
    copy(join(machine.folder, path), join(keep.folder, "artifacts", name, basename(path)));
    return undefined;
  },
  "actions/download-artifact": (
    machine,
    { name, pattern = "*", path = ".", "merge-multiple": merge },
    keep,
  ) => {
    const all = join(keep.folder, "artifacts");
    const target = join(machine.folder, path);
    const matches = name === undefined ? globSync(pattern, { cwd: all }) : [name];
    // An artifact gets a folder of its own only where there are several: since version 5 also when a pattern chose it.
    const isFlat = merge === "true" || matches.length === 1;
    for (const match of matches) copy(join(all, match), isFlat ? target : join(target, match));
    return undefined;
  },
  "actions/upload-pages-artifact": (machine, { path = "" }, keep) => {
    copy(join(machine.folder, path), join(keep.folder, "pages"));
    return undefined;
  },
  "actions/deploy-pages": (_machine, _given, keep) => {
    keep.deployed = existsSync(join(keep.folder, "pages", "index.html"));
    return { page_url: `${PAGES.origin}${PAGES.base_path}/` };
  },
};
