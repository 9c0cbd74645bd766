/**
 * `npm run bench -- search --site FOLDER`: how long a reader with a weak phone waits for answers, on a finished site.
 *
 * The phone is Chromium with 400 kbit/s, 400 ms for each answer and a processor four times slower. Each query is the first of a
 * visit, typed when the page of the search is complete.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../src/commands/browser.ts";
import type { ListedName } from "../../src/contract/search-lists.ts";
import { median } from "./table.ts";

/** Of a kilobit, bytes. */
const KBIT = 1_000 / 8;
const LINE = { latency: 400, downloadThroughput: 400 * KBIT, uploadThroughput: 400 * KBIT };
const SLOWER = 4;

/** Queries of a kind. */
const ASKED = 5;

/** Longer than this is worse than any aim. */
const PATIENCE_MS = 120_000;

/** A task of the page's thread that lasts longer blocks the reader for the rest, in milliseconds. */
const SHORT_TASK_MS = 50;
const MOST_BLOCKED_MS = 200;

interface Kind {
  readonly what: string;
  readonly queries: readonly string[];
  /** What shows the answer. */
  readonly answer: string;
  readonly atMostMs: number;
}

export async function benchSearch(site: string): Promise<void> {
  const server = await serveCompressed(site);
  const browser = await launchBrowser();
  const rows: Record<string, Record<string, number | string>> = {};
  try {
    for (const { what, queries, answer, atMostMs } of kindsOf(site)) {
      const visits: Awaited<ReturnType<typeof visit>>[] = [];
      for (const query of queries) visits.push(await visit(browser, server.url, query, answer));
      const of = (name: keyof (typeof visits)[number]) => median(visits.map((each) => each[name]));
      rows[what] = {
        ...{ seconds: of("ms") / 1_000, slowest: Math.max(...visits.map(({ ms }) => ms)) / 1_000 },
        ...{ aim: `≤ ${atMostMs / 1_000}`, blockedMs: of("blockedMs") },
        ...{ aimBlocked: `≤ ${MOST_BLOCKED_MS}`, requests: of("requests"), bytes: of("bytes") },
      };
    }
  } finally {
    await browser.close();
    server.close();
  }
  console.log("\nThe search on a weak phone: 400 kbit/s, 400 ms, processor × 1/4; medians");
  console.table(rows);
}

/** A host that compresses text, as hosts do. */
async function serveCompressed(folder: string) {
  const app = new Hono();
  app.use(compress(), serveStatic({ root: folder }));
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
    resolve(port),
  );
  return { url: `http://127.0.0.1:${await promise}/`, close: () => server.close() };
}

/** Queries from the lists of the site itself. */
function kindsOf(site: string): Kind[] {
  const rowsOf = <Row>(list: string): Row[] =>
    globSync(`pagefind/_lists/${list}-*.json`, { cwd: site })
      .sort()
      .flatMap((file) => JSON.parse(readFileSync(join(site, file), "utf8")) as Row[]);
  const own = rowsOf<string>("words")
    .map((row) => row.split(" "))
    .filter(([word = "", languages = ""]) => word.length > 3 && !languages.includes(","));
  const words = [...Map.groupBy(own, ([, language]) => language).values()].map(
    ([first]) => first?.[0] ?? "",
  );
  const names = rowsOf<ListedName>("names").map(([name]) => name);
  return [
    {
      what: "a word of one language",
      queries: spread(words),
      answer: ".found > li",
      atMostMs: 6_000,
    },
    { what: "a name", queries: spread(names), answer: ".names > li", atMostMs: 3_000 },
    {
      what: "nothing found",
      queries: ["kubernetes", "xylofonqx", "бвгджзклм"],
      answer: ".found[aria-busy=false]",
      atMostMs: 3_000,
    },
  ];
}

const spread = <Item>(items: readonly Item[]): Item[] =>
  items.filter((_, index) => index % Math.ceil(items.length / ASKED) === 0);

async function visit(browser: Browser, url: string, query: string, answer: string) {
  const context = await browser.newContext({
    serviceWorkers: "block",
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  const phone = await context.newCDPSession(page);
  await phone.send("Network.enable");
  await phone.send("Network.emulateNetworkConditions", { offline: false, ...LINE });
  await phone.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  let [requests, bytes] = [0, 0];
  phone.on("Network.loadingFinished", ({ encodedDataLength }) => {
    requests++;
    bytes += encodedDataLength;
  });
  await page.addInitScript((shortMs) => {
    Object.assign(globalThis, { blockedMs: 0 });
    new PerformanceObserver((list) => {
      const own = globalThis as unknown as { blockedMs: number };
      for (const { duration } of list.getEntries()) own.blockedMs += duration - shortMs;
    }).observe({ type: "longtask", buffered: true });
  }, SHORT_TASK_MS);
  await page.goto(`${url}search/`, { waitUntil: "networkidle", timeout: PATIENCE_MS });
  [requests, bytes] = [0, 0];
  await page.evaluate(() => Object.assign(globalThis, { blockedMs: 0 }));
  const began = performance.now();
  await page.fill("input[name=q]", query);
  await page.waitForSelector(answer, { state: "attached", timeout: PATIENCE_MS });
  const ms = performance.now() - began;
  const blockedMs = await page.evaluate(
    () => (globalThis as unknown as { blockedMs: number }).blockedMs,
  );
  await context.close();
  return { ms, blockedMs, requests, bytes };
}
