/** A reader in a browser with an eye on the votes: opens pages of the small site and acts on its cards. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { startVoteServer, type VoteServer } from "../votes/index.ts";
import { startVoteSite, type VoteSite } from "./vote-site.ts";

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

export interface Bench {
  readonly service: VoteServer;
  readonly site: VoteSite;
  /** A browser without a past; closed with the bench. */
  reader(
    options?: Parameters<Awaited<ReturnType<typeof launchBrowser>>["newContext"]>[0],
  ): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** A service, a site that votes on it, and a browser. */
export async function startBench(): Promise<Bench> {
  const service = await startVoteServer();
  const [site, browser] = await Promise.all([startVoteSite(service.url), launchBrowser()]);
  return {
    service,
    site,
    reader: (options) => browser.newContext(options),
    async close() {
      await browser.close();
      await site.close();
      await service.close();
    },
  };
}
