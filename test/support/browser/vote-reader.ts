/** A reader in a browser with an eye on the votes: opens pages of the small site and acts on its cards. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { forget, useBrowser } from "./browser.ts";
import { startVoteServer, type VoteServer } from "../votes/index.ts";
import { EN, startVoteSite, type VoteSite } from "./vote-site.ts";

export interface Card {
  readonly article: Locator;
  readonly up: Locator;
  readonly down: Locator;
  /** Opens the menu, where a report is. */
  readonly more: Locator;
  /** The way to report where no script runs. */
  readonly summary: Locator;
  readonly confirm: Locator;
  /** What is said beside the buttons. */
  readonly words: Locator;
  readonly count: Locator;
  /** Resolves once the card shows this state. */
  state(name: string): Promise<void>;
}

export function cardOf(page: Page, pk: number): Card {
  const article = page.locator(`#q${pk}`);
  const button = (operation: string) => article.locator(`[form="vote_${operation}"]`);
  return {
    article,
    up: button("up"),
    down: button("down"),
    more: article.locator(".more"),
    summary: article.locator("summary"),
    confirm: button("report"),
    words: article.locator("output"),
    count: article.locator("data"),
    state: (name) =>
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

type ReaderOptions = Parameters<Browser["newContext"]>[0];

export interface VotePages {
  readonly service: VoteServer;
  readonly site: VoteSite;
  /** A browser without a past. */
  reader(options?: ReaderOptions): Promise<BrowserContext>;
  /** A page of the site, in the given browser or in the one that all tests of the file have, each time without a past. */
  open(path?: string, context?: BrowserContext): Promise<Page>;
}

/** A service, a site that votes on it, and a browser: for the tests of one file, each with a service without a past. */
export function useVotes(): VotePages {
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
  const commonPage = async () => (common ??= await (await votes.reader()).newPage());
  const votes: VotePages = {
    get service() {
      return service;
    },
    get site() {
      return site;
    },
    reader: (options) => browser().newContext({ serviceWorkers: "block", ...options }),
    async open(path = EN, context) {
      const page = context === undefined ? await commonPage() : await context.newPage();
      await page.goto(site.url + path);
      return page;
    },
  };
  return votes;
}
