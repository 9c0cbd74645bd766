/**
 * Reading, search, keeping, voting and reading offline in Firefox and in WebKit, where `TEST_BROWSERS` names them. Chromium, and
 * `firefox-latest`, run the files beside this one.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { buildSite } from "../support/built/index.ts";
import { indexBuilt, serveFolder, voteOn, type Served } from "../support/browser/index.ts";
import { KEYS, startDriven, type DrivenPage } from "../support/browser/driven.ts";
import { siteQuotes } from "../support/snapshot/index.ts";
import { startVoteServer, type VoteServer } from "../support/votes/index.ts";
import { closeAfterFile } from "../support/run/index.ts";

const AUTHOR = "author/william-blake/";
const ARABIC_WORD = "الكرامة";

let open: () => Promise<DrivenPage>;
let page: DrivenPage;
let served: Served;
let votes: VoteServer;

beforeAll(async () => {
  open = await startDriven();
  votes = await startVoteServer();
  closeAfterFile(() => votes.close());
  const settings = { SITE_BASE: "/sub/", VOTE_BASE_URL: votes.url };
  const site = await buildSite({ quotes: siteQuotes() }, settings);
  voteOn(votes.url, site.outDir);
  await indexBuilt(site);
  served = await serveFolder(site.outDir, "/sub/");
});
beforeEach(async () => {
  page = await open();
});
afterEach(() => page.close());

/** @returns the address of the site behind a server that answers some of its paths with an error */
async function serveRefusing(refuses: (path: string) => boolean): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    if (refuses(url)) return void response.writeHead(503).end("busy");
    void fetch(new URL(url, served.url)).then(async (answer) => {
      const type = answer.headers.get("content-type") ?? "";
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { "Content-Type": type }).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/`;
}

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

test.for([
  [320, ""],
  [390, "language/ar/"],
  [390, "search/"],
  [320, AUTHOR],
] as const)("no page is wider than a window of %d pixels: /%s", async ([width, path]) => {
  await page.setWidth(width);
  await visit(path);
  const over = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(over).toBe(0);
  // The window of WebKitGTK's small browser gets no narrower.
  expect(await page.evaluate(() => innerWidth)).toBeLessThanOrEqual(Math.max(width, 450));
});

test("the keyboard alone reaches the text, and the menu of a card gives the focus back", async () => {
  await visit(AUTHOR);
  await page.press(KEYS.tab);
  const focused = () => page.evaluate(() => document.activeElement?.className ?? "");
  expect(await focused()).toBe("skip");
  await page.press(KEYS.enter);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("text");
  await page.click("article.quote .more");
  await shown("#card-menu button:focus").not.toBeNull();
  await page.press(KEYS.escape);
  await expect.poll(focused).toBe("more");
});

test("another quote comes at a press of the button, and a next one at a key", async () => {
  await visit("");
  const path = () => page.evaluate(() => location.pathname);
  await page.click("a.another");
  await expect.poll(path).toMatch(/\/quote\/\d+\/$/);
  await shown("article.quote blockquote").not.toBeNull();
  const first = await path();
  await expect
    .poll(async () => {
      await page.press("r");
      return path();
    })
    .not.toBe(first);
});

test("a word is searched, a name is suggested, and Back leads to the answers", async () => {
  await visit("search/");
  await page.type("input[name=q]", "Tyger");
  await shown(".found blockquote").toContain("Tyger");
  expect(await page.text(".found mark")).toBe("Tyger");
  await visit("search/");
  await page.type("input[name=q]", "william blak");
  await shown("[role=listbox] [role=option]").toContain("William Blake");
  await page.press(KEYS.down);
  await page.press(KEYS.enter);
  await shown("h1").toContain("William Blake");
  await page.back();
  await expect
    .poll(() => page.evaluate(() => location.pathname + location.search))
    .toContain("/search/");
});

test("an Arabic word is searched on a small screen, and the address keeps what was asked", async () => {
  await page.setWidth(390);
  await visit("ar/search/");
  expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
  await page.type("input[name=q]", ARABIC_WORD);
  await shown(".found blockquote").toContain(ARABIC_WORD);
  await expect
    .poll(() => page.evaluate(() => new URLSearchParams(location.search).get("q")))
    .toBe(ARABIC_WORD);
  await visit(`ar/search/?q=${encodeURIComponent(ARABIC_WORD)}`);
  await shown(".found blockquote").toContain(ARABIC_WORD);
});

test("a quote is copied, shared by plain links, and kept on its own page", async () => {
  await visit(AUTHOR);
  await page.click("article.quote .permalink");
  await expect.poll(() => page.evaluate(() => location.pathname)).toMatch(/\/quote\/\d+\/$/);
  await page.click('article [data-act="text"]');
  await shown("#page-status").toContain("Copied");
  const links = await page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLAnchorElement>("nav.switch a[rel~=nofollow]"), (a) =>
      decodeURIComponent(a.href),
    ),
  );
  expect(links).toHaveLength(5);
  for (const link of links) expect(link).toContain("Tyger Tyger");
  await page.click('article [data-act="keep"]');
  await shown('article [data-act="keep"][aria-pressed="true"]').toBe("Kept");
  const own = await page.evaluate(() => location.href);
  await page.open(own);
  await shown('article [data-act="keep"][aria-pressed="true"]').toBe("Kept");
});

test("a quote is kept, listed, and removed", async () => {
  await visit(AUTHOR);
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
  await visit(AUTHOR);
  const pk = await page.evaluate(
    () => document.querySelector<HTMLElement>("article.quote")?.dataset["pk"] ?? "",
  );
  await page.click('article.quote [form="vote_up"]');
  await shown("article.quote output").toBe("Counted. Thank you.");
  await page.click('article.quote [form="vote_up"]');
  expect(votes.posts()).toEqual([`upvote ${pk}`]);
});

test.for([
  ["throttled", "The service is busy."],
  ["reset", "we do not know whether it counted"],
] as const)("a vote is sent once, and the page says that it is %s", async ([answer, said]) => {
  votes.reset();
  votes.reply = answer;
  await visit(AUTHOR);
  await page.click('article.quote [form="vote_down"]');
  await shown("article.quote output").toContain(said);
  expect(votes.posts()).toHaveLength(1);
});

test("where the scripts of a page cannot be loaded, no button of it is dead", async () => {
  const live = () =>
    page.evaluate(
      () =>
        Array.from(document.querySelectorAll("button:enabled:not([form])")).filter((button) =>
          button.checkVisibility(),
        ).length,
    );
  await visit(AUTHOR);
  await expect.poll(live).toBeGreaterThan(1);
  const url = await serveRefusing((path) => path.endsWith(".js"));
  await page.open(url + AUTHOR);
  await shown("article.quote blockquote").toContain("Tyger Tyger");
  // A vote is a form, which needs no script.
  expect(await live()).toBe(0);
});

/** Waits until the worker of the open page is active, and has a page. */
async function untilOffline(url: string): Promise<void> {
  const isActive = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state ?? "");
  await expect.poll(isActive).toBe("activated");
  await page.open(url);
  await expect
    .poll(() => page.evaluate(async (asked) => !!(await caches.match(asked)), url))
    .toBe(true);
}

test("a host with an error hides no page that was visited", async () => {
  let isFailing = false;
  const url = await serveRefusing((path) => isFailing && path.endsWith("/"));
  await page.open(url);
  await untilOffline(url + AUTHOR);
  isFailing = true;
  await page.open(url + AUTHOR);
  await shown("article.quote blockquote").toContain("Tyger Tyger");
  await shown("aside.stale[role=status]").toContain("This copy is from");
});

test("what was visited opens without a connection, and other pages say that there is none", async () => {
  await visit("");
  await untilOffline(served.url + AUTHOR);
  await served.close();
  await visit(AUTHOR);
  await shown("article.quote blockquote").toContain("Tyger Tyger");
  await visit("language/hi/");
  await shown("h1").toContain("You are offline");
});
