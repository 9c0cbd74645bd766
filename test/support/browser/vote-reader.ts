/** A reader in a browser with an eye on the votes: opens pages of the small site and acts on its cards. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { forget, useBrowser } from "./browser.ts";
import { startVoteServer, type VoteServer } from "../votes/index.ts";
import { EN, startVoteSite, type VoteSite } from "./vote-site.ts";

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
    /** The message beside the buttons. */
    words: article.locator("output"),
    count: article.locator("data"),
    /** Resolves once the card shows this state. */
    state: (name: string) =>
      article.locator(`vote-box[data-state="${name}"]`).waitFor({ state: "attached" }),
  };
}

/** The first and the second step of a report, in the menu that is open. */
export const reportIn = (page: Page) => ({
  first: page.locator("#card-menu summary"),
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
