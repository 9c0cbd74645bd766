/** What an audit reads again, and that it finds what a page does not show that did not change. */
import { lstatSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALLOW_NOTHING } from "../../../src/contract/allow.ts";
import type { AuditOptions } from "../../../src/audit/audit.ts";
import { lineOf } from "../../../src/audit/finding.ts";
import { fileKey, PASSED_FILE } from "../../../src/audit/passed.ts";
import { Database } from "../../../src/sqlite/database.ts";
import {
  auditAgain,
  auditWith,
  FOOTER,
  page,
  PAGES,
  quote,
  writeSite,
  type SmallSite,
} from "../site.ts";
import { CAN_LINK } from "../../support/run/index.ts";

/** Whole seconds: a date that can be set again as it was. */
const DATE = 1_750_000_000;

/** The small site after an audit that found nothing. */
async function passedSite(options: Partial<AuditOptions> = {}): Promise<SmallSite> {
  const site = writeSite();
  utimesSync(join(site.outDir, "404.html"), DATE, DATE);
  expect(await auditAgain(site, options)).toMatchObject({ total: 0, pages: 5, unchanged: 0 });
  return site;
}

async function linesOf(site: SmallSite, options: Partial<AuditOptions> = {}): Promise<string[]> {
  return (await auditAgain(site, options)).findings.map(lineOf).sort();
}

/** Replaces a page by one of the same size and date that links to nowhere. */
function forge({ outDir }: SmallSite, file: string, good: string): void {
  const path = join(outDir, file);
  writeFileSync(path, good.replace("#main", "/none"));
  utimesSync(path, DATE, DATE);
}

const NO_INDEX = '<meta name="robots" content="noindex">';
const LOST = page("", FOOTER, NO_INDEX);

test("auditSite() reads no page that passed and did not change, and reports the same", async () => {
  const site = writeSite();
  const first = await auditAgain(site);
  expect(await auditAgain(site)).toEqual({ ...first, unchanged: 5 });
  writeSite({ "404.html": page("<p>new</p>", FOOTER, NO_INDEX) }, site);
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 4 });
});

test("a link of a feed to a page that vanished is found though the feed did not change", async () => {
  const lines = (await auditWith({ "tag/love/index.html": null })).findings.map(lineOf);
  expect(lines.filter((line) => line.startsWith("feed: "))).toHaveLength(3);
});

/** The listing of the tag after it lost its second quote, to which the home page links. */
const WITHOUT_Q2 = { "tag/love/index.html": page(`${quote(1)}<a href="/tag/love/2/">Next</a>`) };
const PAGES_WITHOUT_Q2 = PAGES.map((one) =>
  one.path === "/tag/love/" ? { ...one, quotes: [1] } : one,
);
const Q2_MISSING = "broken link: /: tag/love/index.html has nothing at #q2";

test("a link that goes together with its fragment is not missed", async () => {
  const site = await passedSite();
  const home = { "index.html": page(`${quote(2)}<a href="/tag/love/#q1">a</a>`) };
  writeSite({ ...WITHOUT_Q2, ...home }, site);
  expect(await linesOf(site, { pages: PAGES_WITHOUT_Q2 })).toEqual([]);
});

test("a fragment that its page lost is found for as long as it is missing, and no longer", async () => {
  const site = await passedSite();
  const pages = PAGES_WITHOUT_Q2;
  writeSite(WITHOUT_Q2, site);
  expect(await linesOf(site, { pages })).toEqual([Q2_MISSING]);
  // Another page wants the same, and the first is no longer asked because of it.
  const other = { "404.html": page('<a href="/tag/love/#q2">a</a>', FOOTER, NO_INDEX) };
  writeSite({ ...WITHOUT_Q2, ...other }, site);
  expect(await linesOf(site, { pages })).toHaveLength(1);
  writeSite(WITHOUT_Q2, site);
  expect(await linesOf(site, { pages })).toEqual([Q2_MISSING]);
  writeSite({}, site);
  expect(await linesOf(site)).toEqual([]);
  expect(await auditAgain(site)).toMatchObject({ unchanged: 5 });
});

test("a page that was searched for a fragment keeps its own links", async () => {
  const site = await passedSite();
  writeSite({ "404.html": page('<a href="/tag/love/#q1">a</a>', FOOTER, NO_INDEX) }, site);
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 4 });
  writeSite({ "tag/love/2/index.html": null }, site);
  expect(await linesOf(site)).toContain("broken link: /tag/love/: /tag/love/2/ leads to no file");
});

test("a page that was changed in place is found, the same size and a forged date or not", async () => {
  const site = await passedSite();
  forge(site, "404.html", LOST);
  expect(await linesOf(site)).toEqual(["broken link: /404.html: /none leads to no file"]);
});

test("all: what a forged memory hides is found", async () => {
  const site = await passedSite();
  forge(site, "404.html", LOST);
  const planned = PAGES.find(({ file }) => file === "404.html");
  const database = new Database(join(site.stateDir, PASSED_FILE));
  const { key = "" } = fileKey(lstatSync(join(site.outDir, "404.html")), planned) ?? {};
  expect(database.run("UPDATE files SET key = ? WHERE file = '404.html'", key)).toBe(1);
  database.close();
  expect(await linesOf(site)).toEqual([]);
  expect(await auditAgain(site, { all: true })).toMatchObject({ total: 1, unchanged: 0 });
  expect(await auditAgain(site)).toMatchObject({ total: 1, unchanged: 4 });
});

test.skipIf(!CAN_LINK)("a link in the place of a file is read each time", async () => {
  const site = await passedSite();
  const elsewhere = join(site.stateDir, "page.html");
  writeFileSync(elsewhere, LOST);
  rmSync(join(site.outDir, "404.html"));
  symlinkSync(elsewhere, join(site.outDir, "404.html"));
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 4 });
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 4 });
});

test("a page of which the plan expects something else is read again", async () => {
  const site = await passedSite();
  const pages = PAGES.map((one) =>
    one.path === "/tag/love/2/" ? { ...one, quotes: [3, 4] } : one,
  );
  expect(await auditAgain(site, { pages })).toMatchObject({ total: 1, unchanged: 4 });
  expect(await linesOf(site, { pages })).toEqual(["quote missing: /tag/love/2/: q4"]);
});

test.each<[string, Partial<AuditOptions>]>([
  ["attribution", { attribution: null }],
  ["origins that may be asked", { mayAsk: ["https://votes.example"] }],
  ["the service that the quotes came from", { service: "https://service.example" }],
  ["what pages may load", { allow: { ...ALLOW_NOTHING, img: ["https://x.example"] } }],
  ["secrets", { secrets: [{ name: "QUOTES_TOKEN", value: "cnry-7f3A-c41" }] }],
])("every page is read when the rules change: %s", async (_, options) => {
  const site = await passedSite();
  expect(await auditAgain(site, options)).toMatchObject({ unchanged: 0 });
  expect(await auditAgain(site, options)).toMatchObject({ unchanged: 5 });
});

test("a style sheet that grew is found though no page changed", async () => {
  const site = await passedSite();
  const sheet = Array.from({ length: 99 }, (_, index) => `.a${index * 7919}{}`).join("");
  writeSite({ "a.css": sheet }, site);
  expect(await auditAgain(site)).toMatchObject({ counts: { "too heavy": 5 }, unchanged: 0 });
});

test.each<[string, (path: string) => void]>([
  ["was deleted", (path) => rmSync(path)],
  ["is no database", (path) => writeFileSync(path, "x".repeat(9_000))],
  ["was cut", (path) => writeFileSync(path, "")],
  ["is torn", (path) => writeFileSync(path, Buffer.alloc(3_000, 7), { flag: "r+", flush: true })],
])("every page is read when the memory %s", async (_, damage) => {
  const site = await passedSite();
  damage(join(site.stateDir, PASSED_FILE));
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 0 });
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 5 });
});

test("an audit that was cut short leaves the memory as it was", async () => {
  const site = await passedSite();
  writeSite(WITHOUT_Q2, site);
  const onProgress = (): never => {
    throw new Error("stopped");
  };
  await expect(auditAgain(site, { onProgress, pages: PAGES_WITHOUT_Q2 })).rejects.toThrow(
    "stopped",
  );
  // The page that lost the fragment was read already, the links to it were not.
  expect(await linesOf(site, { pages: PAGES_WITHOUT_Q2 })).toEqual([Q2_MISSING]);
});

test("auditSite() ends with the reason of its signal, and remembers nothing", async () => {
  const site = writeSite();
  const reason = new Error("interrupted");
  const signal = AbortSignal.abort(reason);
  await expect(auditAgain(site, { signal })).rejects.toBe(reason);
  expect(await auditAgain(site)).toMatchObject({ total: 0, unchanged: 0 });
});
