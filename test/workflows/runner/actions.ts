/** What the actions of the workflows do, without a network: files kept, and files handed on. */
import { cpSync, existsSync, globSync, mkdirSync } from "node:fs";
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
  "actions/download-artifact": (machine, { name, pattern, path = "." }, keep) => {
    const all = join(keep.folder, "artifacts");
    const target = join(machine.folder, path);
    if (name !== undefined) {
      copy(join(all, name), target);
      return undefined;
    }
    // A single match is put into the folder itself where a name is asked for, and into one of its own by a pattern.
    for (const match of globSync(pattern ?? "*", { cwd: all })) {
      mkdirSync(join(target, match), { recursive: true });
      copy(join(all, match), join(target, match));
    }
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
