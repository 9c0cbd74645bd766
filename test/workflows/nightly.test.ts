/** A fresh fork without a secret: the workflow's own steps, run here, make its site of the embedded collection. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { PAGES, type Keep } from "./runner/actions.ts";
import { runWorkflow, type RunResult } from "./runner/run-workflow.ts";
import { readWorkflow } from "./runner/workflow.ts";

const nightly = readWorkflow("nightly.yml");
const keep: Keep = { folder: tempFolder("nightly"), caches: [], deployed: false };
const pages = join(keep.folder, "pages");

/** A part of the embedded collection: the whole of it takes a minute, and shows no more. */
const vars = { QUOTES_LANGUAGES: "be,he" };

function night(number: number, event: string, inputs: Record<string, unknown> = {}): RunResult {
  const repository = { default_branch: "main" };
  const github = {
    run_id: number,
    run_attempt: 1,
    event_name: event,
    ref_name: "main",
    event: { repository },
  };
  keep.deployed = false;
  return runWorkflow(nightly, { github, inputs, vars, secrets: {} }, keep);
}

const files = (): string[] =>
  globSync("**/*", { cwd: pages, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(pages.length + 1))
    .sort();

let first: RunResult;
let site: string[];

beforeAll(() => {
  first = night(1, "schedule");
  site = files();
}, 180_000);

test("one machine: the whole site is deployed, search, cards and pictures with it", () => {
  expect(keep.deployed).toBe(true);
  const home = readFileSync(join(pages, "index.html"), "utf8");
  expect(home).toContain(`${PAGES.origin}${PAGES.base_path}/`);
  for (const part of ["pagefind/", "_cards/", "build.json", "about/build/index.html", "feed.xml"]) {
    expect(site.filter((file) => file.startsWith(part))).not.toEqual([]);
  }
  expect(site).not.toContain("shard.json");
});

test("the summary tells the night once, and its audit", () => {
  expect(first.summary).toMatch(/^## \d+ quotes: \d+ new, 0 changed, 0 removed$/m);
  expect(first.summary).toContain("| Label | complete:proved |");
  expect(first.summary).toMatch(/\| Audit \| \d+ pages, nothing found \|/);
  for (const stage of ["Harvest", "Pictures", "Merge", "Cards", "Search", "Audit"]) {
    expect(first.summary).toContain(`| ${stage} | `);
  }
});

test("two machines: the next night finds the state, and deploys the same files", () => {
  const second = night(2, "workflow_dispatch", { shards: "2" });
  expect(second.logs["site"]).toContain("2 shards");
  expect(second.summary).toMatch(/^## \d+ quotes: 0 new, 0 changed, 0 removed$/m);
  expect(keep.deployed).toBe(true);
  expect(files().filter((file) => !site.includes(file))).toEqual([]);
  expect(keep.caches).toEqual([
    "state-1-1-harvest",
    "state-1-1-site",
    "state-2-1-harvest",
    "state-2-1-site",
  ]);
  const history = join(keep.folder, "caches/state-2-1-site/history.ndjson");
  expect(readFileSync(history, "utf8").trim().split("\n")).toHaveLength(2);
  expect(existsSync(join(keep.folder, "caches/state-2-1-site/cards"))).toBe(true);
}, 180_000);
