/** A small site whose cards can be voted on: six quotes in English and in Arabic, and 500 on one page; and its reader. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { buildSite, NOWHERE } from "../built/index.ts";
import { startVoteServer, type VoteServer } from "../votes/index.ts";
import { forget, serveFolder, useBrowser } from "./browser.ts";

export interface VoteSite {
  readonly url: string;
  readonly folder: string;
}

/** Quotes 1 to 6, which have 60 to 10 likes. */
export const EN = "author/six/";

/** Quotes 1 to 500. */
export const MANY = "language/en/";

/** Quotes 501 to 506. */
export const AR = "language/ar/";

const QUOTES = Array.from({ length: 506 }, (_, index) => ({
  id: index + 1,
  text: `Words of quote ${index + 1}.`,
  author: index < 6 ? "Six" : "Many",
  language: index < 500 ? "en" : "ar",
  likes: index < 6 ? 60 - 10 * index : 0,
}));

/** Has the pages of a built site vote on another service. */
export function voteOn(url: string, folder: string): void {
  for (const page of globSync("**/*.html", { cwd: folder })) {
    const html = readFileSync(join(folder, page), "utf8");
    writeFileSync(join(folder, page), html.replaceAll(NOWHERE, url));
  }
}

/** Serves a copy of the site, which is built once in a run of the tests. */
export async function startVoteSite(voteBaseUrl: string): Promise<VoteSite> {
  const variables = { SITE_PER_PAGE: "500", VOTE_BASE_URL: NOWHERE };
  const { outDir: folder } = await buildSite({ quotes: QUOTES }, variables);
  voteOn(voteBaseUrl, folder);
  const served = await serveFolder(folder);
  return { url: served.url, folder };
}

export type Card = ReturnType<typeof cardOf>;

export function cardOf(page: Page, pk: number) {
  const article = page.locator(`#q${pk}`);
  const button = (operation: string) => article.locator(`[form="vote_${operation}"]`);
  return {
    article,
    up: button("up"),
    down: button("down"),
    /** Opens the menu, which has the report. */
    more: article.locator(".more"),
    /** Reports where no script runs. */
    summary: article.locator("summary"),
    confirm: button("report"),
    /** The message at the end of the window. */
    words: article.locator("output"),
    count: article.locator("data"),
    /** Resolves once the card shows this state. */
    state: (name: string) =>
      article.locator(`vote-box[data-state="${name}"]`).waitFor({ state: "attached" }),
  };
}

/** The first and the second step of a report, in the menu that is open. */
export const reportIn = (page: Page) => ({
  first: page.locator("#card-menu .report summary"),
  second: page.locator('#card-menu [data-act="report"]'),
});

/** Reports a quote through the menu of its card. */
export async function report(page: Page, pk: number): Promise<void> {
  await cardOf(page, pk).more.click();
  await reportIn(page).first.click();
  await reportIn(page).second.click();
}

/** A service, a site that votes on it, and a browser: for the tests of one file, each with a service without a past. */
export function useVotes() {
  let service: VoteServer;
  let site: VoteSite;
  let common: Page | undefined;
  const browser = useBrowser();
  beforeAll(async () => {
    service = await startVoteServer();
    site = await startVoteSite(service.url);
  });
  beforeEach(() => service.reset());
  afterEach(async () => {
    const others = browser()
      .contexts()
      .filter((context) => context !== common?.context());
    await Promise.all(others.map((context) => context.close()));
    if (common !== undefined) await forget(common, site.url);
  });
  afterAll(() => service.close());
  const reader = (options?: Parameters<Browser["newContext"]>[0]): Promise<BrowserContext> =>
    browser().newContext({ serviceWorkers: "block", ...options });
  const commonPage = async () => (common ??= await (await reader()).newPage());
  return {
    get service() {
      return service;
    },
    get site() {
      return site;
    },
    /** A browser without a past. */
    reader,
    /** A page without a past, in a browser that all tests of the file share where none is given. */
    async open(path = EN, context?: BrowserContext) {
      const page = context === undefined ? await commonPage() : await context.newPage();
      await page.goto(site.url + path);
      return page;
    },
  };
}
