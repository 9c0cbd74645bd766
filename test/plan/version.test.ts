/** A plan kept in the state is used again by the same sources alone: in the process that reads it, and in the bundle of a build. */
import { appendFileSync, cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planVersion } from "../../src/plan/index.ts";
import { digestOfSources } from "../../src/plan/version.ts";
import { Database } from "../../src/sqlite/database.ts";
import { buildSite } from "../support/built/index.ts";
import { tempFolder } from "../support/run/index.ts";
import { makeSite } from "../support/site/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

const SRC = join(import.meta.dirname, "../../src");

test.each(["plan/more.ts", "plan/slug.ts", "util/fold.ts", "contract/quote.ts"])(
  "another %s gives another version, the same files the same",
  (file) => {
    const copy = tempFolder("sources");
    for (const folder of ["contract", "plan", "util"])
      cpSync(join(SRC, folder), join(copy, folder), { recursive: true });
    expect(digestOfSources(copy)).toBe(planVersion());
    appendFileSync(join(copy, file), "\n");
    expect(digestOfSources(copy)).not.toBe(planVersion());
  },
);

test("a folder without sources has no version: all plans would have one", () => {
  expect(() => digestOfSources(tempFolder("bundle"))).toThrow("define __PLAN_VERSION__");
});

test("a plan of other sources is written anew, one of these is used", () => {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }] });
  const path = join(stateDir, "plan.sqlite");
  const open = (): number => {
    using _ = makeSite([], { stateDir });
    return statSync(path).ino;
  };
  const first = open();
  expect(open()).toBe(first);
  {
    using db = new Database(path);
    db.run("UPDATE facts SET value = replace(value, ?, 'other')", planVersion());
  }
  expect(open()).not.toBe(first);
});

test("the pages of a build read the plan that the command reads", async () => {
  const { stateDir } = await buildSite({ quotes: [{ id: 1 }, { id: 2 }] });
  using db = new Database(join(stateDir, "plan.sqlite"));
  const row = db.get<{ value: string }>("SELECT value FROM facts WHERE key = 'key'");
  expect(row?.value).toContain(planVersion());
});
