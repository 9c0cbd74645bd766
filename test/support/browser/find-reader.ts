/** A reader with a browser: counts what is loaded of the search index, and hears what goes wrong. */
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { pageErrors } from "./page-errors.ts";

export type Reader = Awaited<ReturnType<typeof newReader>>;

export async function newReader(
  browser: Browser,
  options: Pick<
    BrowserContextOptions,
    "javaScriptEnabled" | "locale" | "isMobile" | "hasTouch"
  > = {},
) {
  const context = await browser.newContext({
    ...options,
    acceptDownloads: true,
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  const errors = pageErrors(page);
  const bodies: Promise<number>[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  // Of the search index, text as a host compresses it.
  let bytes = 0;
  page.on("response", (response) => {
    if (!response.url().includes("/pagefind/")) return;
    const packed = /\.(?:js|json|txt)/.test(response.url());
    bodies.push(
      response.body().then(
        (body) => (bytes += packed ? gzipSync(body).length : body.length),
        () => 0,
      ),
    );
  });
  return { page, loaded: () => bytes, errors, close: () => context.close() };
}

/** Opens the search with a query and gives the first answers. */
export async function ask(page: Page, url: string, query: string) {
  await page.goto(`${url}search/?${new URLSearchParams({ q: query }).toString()}`);
  // The status first says how many languages are asked.
  await page.waitForSelector(".found > li, .found[aria-busy=false]", { state: "attached" });
  return firstAnswers(page);
}

/**
 * Asks on the page of the search, which keeps what it has loaded, and gives the first answers. Enter would lead from a name to its
 * page.
 */
export async function askNext(page: Page, query: string) {
  await page.fill("input[name=q]", query);
  await page.click("quote-search button[type=submit]");
  // The answers before are gone in the turn in which the address changes.
  await page.waitForFunction(
    (asked) => new URLSearchParams(location.search).get("q")?.trim() === asked,
    query.trim(),
  );
  await page.waitForSelector(".found > li, .found[aria-busy=false]", { state: "attached" });
  return firstAnswers(page);
}

export function firstAnswers(page: Page) {
  return page.$$eval(".found > li", (items) =>
    items.slice(0, 3).map((item) => ({
      text: item.querySelector("blockquote")?.textContent ?? "",
      marked: [...item.querySelectorAll("mark")].map((mark) => mark.textContent),
      by: item.querySelector(".by")?.textContent ?? "",
      language: item.querySelector(".in")?.textContent ?? "",
      href: item.querySelector("a")?.href ?? "",
    })),
  );
}

/** @returns what waits until no request is under way or follows: an older search that goes on would send one */
export function untilQuiet(page: Page): () => Promise<void> {
  let underWay = 0;
  let last = 0;
  const count = (change: number) => () => {
    underWay += change;
    last++;
  };
  page.on("request", count(1));
  page.on("requestfinished", count(-1));
  page.on("requestfailed", count(-1));
  return async () => {
    // The page says that it has nothing to do, many times in a row: no clock knows how slow the machine is.
    for (let idle = 0; idle < 20; idle++) {
      const before = last;
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      if (underWay > 0 || before !== last) idle = 0;
    }
  };
}
