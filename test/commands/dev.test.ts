/** `npm run dev` as a user runs it: a page, and every file that it names. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { folderWith, startServer } from "../support/run/index.ts";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";

const ROOT = join(import.meta.dirname, "../..");

const site = folderWith({ "config.ts": 'export default { language: "en", theme: "folio" };\n' });
const { stateDir } = makeSnapshot({ quotes: siteQuotes() });
// Astro's telemetry would write into this file: nothing may be sent.
const HOME = join(ROOT, "package.json");
const args = ["--state", stateDir, "--quiet"];
const { url, stop } = await startServer("dev", args, { HOME, SITE_DIR: site });
afterAll(() => stop("SIGKILL"));

test("dev serves pages with their files", async () => {
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
  expect(answers.filter((answer) => /\/letters\/.*\.css$/.test(answer)).length).toBeGreaterThan(1);
  expect(answers.filter((answer) => !answer.startsWith("200 "))).toEqual([]);
});

test("dev shows an override that is added or removed, and each setting that changes", async () => {
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

test("dev shows a correction that is added and changes", async () => {
  const answers = (path: string) =>
    expect.poll(async () => (await fetch(url + path)).status, { interval: 300 });
  folderWith({ "corrections.yaml": "authors:\n  Tom: [William Blake]\n" }, site);
  await answers("/author/tom/").toBe(200);
  folderWith({ "corrections.yaml": "authors:\n  Will: [William Blake]\n" }, site);
  await answers("/author/will/").toBe(200);
  await answers("/author/tom/").toBe(404);
});

test("dev ends on a signal, and what Astro said has the labels alone that are for people", async () => {
  const { status, stderr } = await stop();
  expect(status).toBe(143);
  expect(stderr).toMatch(/^ astro {2}v\S+ ready in/m);
});
