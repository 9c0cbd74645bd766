/** `npm run dev` as a user runs it: a page, and every file that it names. */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { start, tempFolder } from "../support/run/index.ts";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";

const ROOT = join(import.meta.dirname, "../..");

test("dev serves pages with their files, and ends on a signal", async () => {
  const stateDir = tempFolder();
  makeSnapshot({ stateDir, stamp: "20261110T020300000Z", quotes: siteQuotes() });
  // Astro's telemetry would write there: nothing may be sent.
  const HOME = join(ROOT, "package.json");
  const { child, finished } = start("dev", ["--state", stateDir, "--quiet"], { HOME });
  onTestFinished(() => void child.kill("SIGKILL"));
  let url = "";
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^Serving (http\S+)\/$/.exec(line)?.[1] ?? "";
    if (url !== "") break;
  }
  const named = new Set<string>();
  for (const path of ["/", "/language/ar/", "/authors/"]) {
    const html = await (await fetch(url + path)).text();
    expect(html, path).toContain("data-attribution");
    for (const [, file = ""] of html.matchAll(
      /<(?:link|script|img)\b[^>]* (?:href|src)="(\/[^"]+)"/g,
    ))
      named.add(file);
  }
  const answers = await Promise.all(
    Array.from(named, async (file) => `${(await fetch(url + file)).status} ${file}`),
  );
  child.kill("SIGTERM");

  expect(answers.filter((answer) => /\/letters\/.*\.css$/.test(answer)).length).toBeGreaterThan(1);
  expect(answers.filter((answer) => !answer.startsWith("200 "))).toEqual([]);
  expect(await finished).toMatchObject({ status: 143 });
});
