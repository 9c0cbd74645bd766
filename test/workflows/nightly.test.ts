/** A fresh fork without a secret: the workflow's own steps, run here, make its site of the embedded collection. */
// @module-tag long
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { filesIn, folderWith, tempFolder } from "../support/run/index.ts";
import { PAGES, type Keep } from "./runner/actions.ts";
import { PASSED } from "./runner/machine.ts";
import { runWorkflow, type RunResult } from "./runner/run-workflow.ts";
import { readWorkflow } from "./runner/workflow.ts";

const nightly = readWorkflow("nightly.yml");
const keep: Keep = { folder: tempFolder("nightly"), caches: [], deployed: false };
const pages = join(keep.folder, "pages");

/** A part of the embedded collection: the whole of it takes a minute, and shows no more. */
const PART = { QUOTES_LANGUAGES: "he" };

const CANARY = "s3cr3t-canary-of-the-night";
const loot = join(tempFolder("loot"), "loot");
/** Puts programs of its own into the way of every later step of its job, by each way that GitHub has. */
const THIEF = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
const steal = "require('node:fs').appendFileSync(" + ${JSON.stringify(JSON.stringify(loot))} + ", (process.env.QUOTES_TOKEN ?? '') + '!')";
const { GITHUB_PATH, GITHUB_ENV } = process.env;
if (GITHUB_PATH !== undefined && GITHUB_ENV !== undefined) {
  mkdirSync("planted", { recursive: true });
  writeFileSync("planted/node", "#!/bin/sh\\necho \\"$QUOTES_TOKEN!\\" >> " + ${JSON.stringify(loot)} + "\\n", { mode: 0o755 });
  appendFileSync(GITHUB_PATH, process.cwd() + "/planted\\n");
  writeFileSync("planted/hook.cjs", steal);
  appendFileSync(GITHUB_ENV, "NODE_OPTIONS=--require=" + process.cwd() + "/planted/hook.cjs\\n");
  writeFileSync("scripts/commonplace.mjs", "import { createRequire } from 'node:module'; const require = createRequire('/'); " + steal);
}
export default {};
`;
const SITE_DIR = folderWith({ "config.ts": THIEF });

function night(run_id: number, event_name: string, vars: Record<string, string> = {}): RunResult {
  // A scheduled run on GitHub has no data of its repository.
  const repository = event_name === "schedule" ? undefined : { default_branch: "main" };
  const github = {
    run_id,
    run_attempt: 1,
    sha: PASSED,
    event_name,
    ref_name: "main",
    event: { repository },
  };
  keep.deployed = false;
  const secrets = { QUOTES_TOKEN: CANARY };
  const given = { github, inputs: {}, vars: { ...PART, SITE_DIR, ...vars }, secrets };
  return runWorkflow(nightly, given, keep);
}

/** No program listens there. */
const AWAY = "http://127.0.0.1:9";

const historyOf = (key: string): unknown[] =>
  readFileSync(join(keep.folder, "caches", key, "history.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

let first: RunResult;
let site: string[];

beforeAll(() => {
  first = night(1, "schedule");
  site = filesIn(pages);
});

test("a first night: the whole site is deployed, search, cards and feeds with it", () => {
  expect(first.failed).toEqual([]);
  expect(keep.deployed).toBe(true);
  const home = readFileSync(join(pages, "index.html"), "utf8");
  expect(home).toContain(`${PAGES.origin}${PAGES.base_path}/`);
  for (const part of ["pagefind/", "_cards/", "build.json", "about/build/index.html", "feed.xml"]) {
    expect(site.filter((file) => file.startsWith(part))).not.toEqual([]);
  }
  expect(site).not.toContain("shard.json");
});

test("code of the site that plants programs in its jobs is not given the credential", () => {
  expect(first.logs["audit"]).toContain("pages audited, nothing found");
  expect(existsSync(loot) ? readFileSync(loot, "utf8") : "").not.toContain(CANARY);
});

test("pages of shards name the Open Graph images that the merge puts into the site", () => {
  const pageOf = (path: string): string => readFileSync(join(pages, path, "index.html"), "utf8");
  for (const path of ["", "today", "language/he"]) {
    const [, image] =
      /property="og:image" content="[^"]*\/(_cards\/[^"]+)"/.exec(pageOf(path)) ?? [];
    expect(site, `/${path}`).toContain(image);
  }
});

test("the summary has the run once, and its audit", () => {
  expect(first.summary).toMatch(/^## \d+ quotes: \d+ new, 0 changed, 0 removed$/m);
  expect(first.summary).toContain("| Label | complete:proved |");
  expect(first.summary).toMatch(/\| Audit \| \d+ pages, nothing found \|/);
  for (const stage of ["Harvest", "Pictures", "Merge", "Open Graph images", "Search", "Audit"]) {
    expect(first.summary).toContain(`| ${stage} | `);
  }
});

test("a push on two machines: the same files, of the quotes of the last run, and no request is sent", () => {
  const second = night(2, "push", { SHARDS: "2", QUOTES_BASE_URL: AWAY });
  expect(second.failed).toEqual([]);
  expect(second.logs["harvest"]).toContain("The quotes of the last run are used again.");
  expect(second.logs["site"]).toContain("2 shards");
  expect(keep.deployed).toBe(true);
  expect(filesIn(pages)).toEqual(site);
  const keys = ["state-1-1-harvest", "state-1-1-site", "state-2-1-harvest", "state-2-1-site"];
  expect(keep.caches).toEqual(keys);
  expect(historyOf("state-2-1-site")).toMatchObject([{ status: 0, findings: 0 }]);
});

test("a service that is away: nothing is deployed, and what is known is kept", () => {
  const third = night(3, "schedule", { QUOTES_BASE_URL: AWAY });
  expect(third.failed).toEqual(["harvest"]);
  expect(Object.keys(third.logs)).toEqual([
    "prepare",
    "harvest",
    "test",
    "test-long",
    "test-browsers",
    "keep-alive",
  ]);
  expect(keep.deployed).toBe(false);
  expect(third.logs["harvest"]).toMatch(/^::error title=Exit 69::.+Keep the last site/m);
  expect(third.summary).toContain("## The run ended with status 69");
  expect(keep.caches.at(-1)).toBe("state-3-1-harvest");
  expect(historyOf("state-3-1-harvest")).toMatchObject([{ status: 0 }, { status: 69 }]);
});
