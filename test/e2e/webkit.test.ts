/**
 * Reading, search, keeping, voting and reading offline in WebKit, where `TEST_BROWSERS` names it. Other browsers run the files beside
 * this one.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { indexSite } from "../../src/search/index-site.ts";
import { buildSite } from "../support/built/index.ts";
import { serveFolder, voteOn, type Served } from "../support/browser/index.ts";
import { KEYS, startWebkit, type WebkitPage } from "../support/browser/webdriver.ts";
import { siteQuotes } from "../support/snapshot/index.ts";
import { makeSite } from "../support/site/index.ts";
import { startVoteServer, type VoteServer } from "../support/votes/index.ts";
import { closeAfterFile } from "../support/run/index.ts";

const BLAKE = "author/william-blake/";

let open: () => Promise<WebkitPage>;
let page: WebkitPage;
let served: Served;
let votes: VoteServer;

beforeAll(async () => {
  open = await startWebkit();
  votes = await startVoteServer();
  closeAfterFile(() => votes.close());
  const settings = { SITE_BASE: "/sub/", VOTE_BASE_URL: votes.url };
  const site = await buildSite({ quotes: siteQuotes() }, settings);
  voteOn(votes.url, site.outDir);
  using listed = makeSite([], { stateDir: site.stateDir });
  const names = { author: listed.largest("author"), tag: listed.tags() };
  await indexSite({ ...site, curated: null, names });
  served = await serveFolder(site.outDir, "/sub/");
});
beforeEach(async () => {
  page = await open();
});
afterEach(() => page.close());

const visit = (path: string) => page.open(served.url + path);
const shown = (selector: string) => expect.poll(() => page.text(selector));

test("a listing is read in its direction, and the chosen scheme stays", async () => {
  await visit("language/ar/");
  const directions = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll("article.quote blockquote"),
      (quote) => getComputedStyle(quote).direction,
    ),
  );
  expect(directions.length).toBeGreaterThan(2);
  expect(new Set(directions)).toEqual(new Set(["rtl"]));
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>("#scheme");
    if (select !== null) select.value = "dark";
    select?.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const dark = await paper();
  expect(dark).not.toBe(light);
  await visit("tags/");
  expect(await paper()).toBe(dark);
});

test("a word is searched, a name is suggested, and Back leads to the answers", async () => {
  await visit("search/");
  await page.type("input[name=q]", "Tyger");
  await shown(".found blockquote").toContain("Tyger");
  expect(await page.text(".found mark")).toBe("Tyger");
  await visit("search/");
  await page.type("input[name=q]", "william blak");
  await shown("[role=listbox] [role=option]").toContain("William Blake");
  await page.type("input[name=q]", KEYS.down);
  await page.type("input[name=q]", KEYS.enter);
  await shown("h1").toContain("William Blake");
  await page.back();
  await expect
    .poll(() => page.evaluate(() => location.pathname + location.search))
    .toContain("/search/");
});

test("a quote is kept, listed, and removed", async () => {
  await visit(BLAKE);
  await page.click('article.quote .do [data-act="keep"]');
  await shown("#page-status").not.toBe("");
  await page.click("article.quote .more");
  await shown("#card-menu p").toContain("Tyger Tyger");
  await visit("favourites/");
  await shown(".found blockquote").toContain("Tyger Tyger");
  await page.click(".found .remove");
  await shown(".found blockquote").toBeNull();
});

test("a vote is sent once and shown", async () => {
  votes.reset();
  await visit(BLAKE);
  const pk = await page.evaluate(
    () => document.querySelector<HTMLElement>("article.quote")?.dataset["pk"] ?? "",
  );
  await page.click('article.quote [form="vote_up"]');
  await shown("article.quote output").toBe("Counted. Thank you.");
  await page.click('article.quote [form="vote_up"]');
  expect(votes.posts()).toEqual([`upvote ${pk}`]);
});

test("what was visited opens without a connection", async () => {
  await visit("");
  const isActive = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state ?? "");
  await expect.poll(isActive).toBe("activated");
  await visit(BLAKE);
  const isKept = () =>
    page.evaluate(async (url) => !!(await caches.match(url)), served.url + BLAKE);
  await expect.poll(isKept).toBe(true);
  await served.close();
  await visit(BLAKE);
  await shown("article.quote blockquote").toContain("Tyger Tyger");
});
