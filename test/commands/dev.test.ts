/** `npm run dev` as a user runs it: a page, and every file that it names. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { folderWith, start, tempFolder } from "../support/run/index.ts";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Starts the command over a snapshot of its own. @returns the address without a slash at its end, and the process */
async function startDev(env: Readonly<Record<string, string>> = {}) {
  const stateDir = tempFolder();
  makeSnapshot({ stateDir, stamp: "20261110T020300000Z", quotes: siteQuotes() });
  // Astro's telemetry would write there: nothing may be sent.
  const HOME = join(ROOT, "package.json");
  const { child, finished } = start("dev", ["--state", stateDir, "--quiet"], { HOME, ...env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let url = "";
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^Serving (http\S+)\/$/.exec(line)?.[1] ?? "";
    if (url !== "") break;
  }
  return { child, finished, url };
}

test("dev serves pages with their files, and ends on a signal", async () => {
  const { child, finished, url } = await startDev();
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

test("dev shows an override that is added or removed, and each setting that changes", async () => {
  const site = folderWith({ "config.ts": 'export default { language: "en", theme: "folio" };\n' });
  const { url } = await startDev({ SITE_DIR: site });
  const pageHas = (text: string) =>
    expect.poll(async () => (await (await fetch(`${url}/language/en/`)).text()).includes(text), {
      interval: 300,
    });
  await pageHas('class="by"').toBe(true);
  folderWith({ "components/quote/By.astro": "<p>Own author</p>\n" }, site);
  await pageHas("Own author").toBe(true);
  rmSync(join(site, "components/quote/By.astro"));
  await pageHas('class="by"').toBe(true);
  folderWith({ "config.ts": 'export default { language: "en", theme: "press" };\n' }, site);
  await pageHas("src/themes/press").toBe(true);
});
