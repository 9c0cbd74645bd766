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

test("dev serves pages with their files", { tags: "long" }, async () => {
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

/** Long enough for a page that was rendered anew, on a busy machine. */
const SAVED_AGAIN_MS = 8_000;

/**
 * Saves files of the site, and waits for what a page then shows. Right after a start the folder may not be watched yet, so a file
 * is saved once more, as a person would.
 */
async function afterSaving<T>(files: Record<string, string>, shows: () => Promise<T>, what: T) {
  let saved = -Infinity;
  const look = (): Promise<T> => {
    if (Date.now() - saved > SAVED_AGAIN_MS) {
      folderWith(files, site);
      saved = Date.now();
    }
    return shows();
  };
  await expect.poll(look, { interval: 300 }).toEqual(what);
}

test(
  "dev shows an override that is added or removed, and each setting that changes",
  { tags: "long" },
  async () => {
    const has = (text: string) => async () =>
      (await (await fetch(`${url}/language/en/`)).text()).includes(text);
    await afterSaving({}, has('class="by"'), true);
    const override = "components/quote/By.astro";
    await afterSaving({ [override]: "<p>Own author</p>\n" }, has("Own author"), true);
    rmSync(join(site, override));
    await afterSaving({}, has('class="by"'), true);
    const config = 'export default { language: "en", theme: "press" };\n';
    await afterSaving({ "config.ts": config }, has("src/themes/press"), true);
  },
);

test("dev shows a correction that is added and changes", { tags: "long" }, async () => {
  const status = (path: string) => async () => (await fetch(url + path)).status;
  const corrections = (name: string) => ({
    "corrections.yaml": `authors:\n  ${name}: [William Blake]\n`,
  });
  await afterSaving(corrections("Tom"), status("/author/tom/"), 200);
  await afterSaving(corrections("Will"), status("/author/will/"), 200);
  await afterSaving({}, status("/author/tom/"), 404);
});

test("dev serves a public folder that is made while it runs, and what it stands in for once it is gone", async () => {
  const icon = async () => (await fetch(`${url}/icon.svg`)).text();
  const before = await icon();
  expect(before).toContain("<svg");
  const [file, own] = ["public/icon.svg", before.replace("<svg", '<svg id="own"')];
  await afterSaving({ [file]: own, "public/own.txt": "own" }, icon, own);
  const status = async () => (await fetch(`${url}/own.txt`)).status;
  await afterSaving({}, status, 200);
  rmSync(join(site, "public"), { recursive: true });
  await afterSaving({}, icon, before);
  await afterSaving({}, status, 404);
});

test("dev ends on a signal, and what Astro said has the labels alone that are for people", async () => {
  const { status, stderr } = await stop();
  expect(status).toBe(143);
  expect(stderr).toMatch(/^ astro {2}v\S+ ready in/m);
});
