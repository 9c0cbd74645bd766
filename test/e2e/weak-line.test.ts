/** What a reader sees on a weak line, from a host with an error, and from one that takes the slash from addresses. */
// @module-tag long
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { buildSubSite } from "../support/built/index.ts";
import { serveFolder, useBrowser } from "../support/browser/index.ts";

const BASE = "/sub/";
type Mood = "well" | "silent" | "failing" | "stripping" | "gone";

const browser = useBrowser();
let mood: Mood;
let url: string;
let context: BrowserContext;
let page: Page;
/** Requests of pages that say that the browser began them before the worker. */
let preloads: number;

beforeEach(async () => {
  const { outDir } = await buildSubSite();
  const site = await serveFolder(outDir, BASE);
  mood = "well";
  preloads = 0;
  const waiting = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const isPage = /\/[^./]*$/.test(path);
    if (request.headers["service-worker-navigation-preload"] !== undefined) preloads++;
    if (mood === "gone") return void response.destroy();
    if (isPage && mood === "silent") return void waiting.add(response);
    if (isPage && mood === "failing") return void response.writeHead(503).end("busy");
    if (mood === "stripping" && isPage && path.endsWith("/") && path !== BASE)
      return void response.writeHead(301, { Location: path.slice(0, -1) }).end();
    const slash = mood === "stripping" && isPage && path !== BASE ? "/" : "";
    void fetch(new URL(path + slash, site.url)).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get("content-type") ?? "";
      const date = "Fri, 20 Nov 2026 10:00:00 GMT";
      response.writeHead(answer.status, { "Content-Type": type, Date: date }).end(body);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    for (const response of waiting) response.destroy();
    server.closeAllConnections();
    server.close();
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
  context = await browser().newContext({ locale: "en-GB", timezoneId: "UTC" });
  page = await context.newPage();
});
afterEach(() => context.close());

const heading = () => page.locator("h1").first().textContent();
const note = () => page.locator("aside.stale[role=status]").textContent();

/** Opens the site, and waits until the worker controls it. */
async function install(): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => {
    const { active, installing, waiting } = await navigator.serviceWorker.ready;
    const worker = active ?? waiting ?? installing;
    if (worker?.state === "activated") return;
    await new Promise((resolve) => worker?.addEventListener("statechange", resolve));
  });
}

test("a line that says nothing for three seconds shows the copy, with its date", async () => {
  await install();
  mood = "silent";
  const began = Date.now();
  // The line stays silent: only a copy can be shown.
  await page.goto(`${url}today/`);
  expect(Date.now() - began).toBeGreaterThan(2_900);
  expect(await heading()).toBe("Quote of the day");
  await expect.poll(note).toContain("November 20, 2026");
});

test("a host with an error shows the copy with its date, and its error where there is none", async () => {
  await install();
  mood = "failing";
  const answer = await page.goto(`${url}today/`);
  expect(answer?.status()).toBe(200);
  await expect.poll(note).toContain("This copy is from November 20, 2026");
  expect((await page.goto(`${url}tags/`))?.status()).toBe(503);
  mood = "well";
  await page.goto(`${url}today/`, { waitUntil: "networkidle" });
  expect(await page.locator("aside.stale").count()).toBe(0);
});

test("the browser requests a page while the worker starts", async () => {
  await install();
  preloads = 0;
  await page.goto(`${url}tags/`);
  expect(await heading()).toBe("Tags");
  expect(preloads).toBeGreaterThan(0);
});

test("where the host takes the slash away, the core pages open without a connection", async () => {
  mood = "stripping";
  await install();
  mood = "gone";
  await page.goto(`${url}today/`);
  expect(await heading()).toBe("Quote of the day");
  await page.goto(`${url}favourites/`);
  expect(await heading()).toBe("My book");
  await page.goto(`${url}tags/`);
  expect(await heading()).toBe("You are offline");
});
