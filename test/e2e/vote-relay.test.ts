/** A browser, the relay and the embedded service behind a credential: the whole way of a vote, with the ledger as oracle. */
// @module-tag long
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type RunningService } from "../../src/service/start.ts";
import {
  cardOf,
  EN,
  report,
  startVoteSite,
  useBrowser,
  type VoteSite,
} from "../support/browser/index.ts";
import { freePort } from "../support/http/index.ts";
import { startRelay, type RunningRelay } from "../support/votes/index.ts";

let service: RunningService;
let site: VoteSite;
let relay: RunningRelay;
const browser = useBrowser();
const TOKEN = "canary-5f0c";

beforeAll(async () => {
  // The pages name the relay and the relay names the site's origin: its port comes first.
  const port = await freePort();
  [service, site] = await Promise.all([
    startService({ token: TOKEN }),
    startVoteSite(`http://127.0.0.1:${port}`),
  ]);
  const env = { QUOTES_BASE_URL: service.url, QUOTES_TOKEN: TOKEN, SITE_URL: site.url };
  relay = await startRelay({ ...env, RELAY_PORT: String(port) });
});
afterAll(async () => {
  await relay.stop();
  await service.close();
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser().newContext(options);
  const page = await context.newPage();
  await page.goto(`${site.url}${EN}`);
  return page;
}

const likesOf = (pk: number) => service.store.quote(pk)?.likes ?? Number.NaN;

test("votes and reports arrive, each once", async () => {
  const before = [likesOf(1), likesOf(2)];
  const page = await open();
  await cardOf(page, 1).up.dblclick();
  await cardOf(page, 1).state("counted");
  await cardOf(page, 2).down.click();
  await cardOf(page, 2).state("counted");
  await report(page, 3);
  await page.locator(".vote-note").waitFor();
  expect([likesOf(1), likesOf(2)]).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) - 1]);
  const listed = await fetch(`${service.url}/apiv1/quotes/?limit=5`, {
    headers: { Authorization: `Token ${TOKEN}` },
  });
  const { results } = (await listed.json()) as { results: { pk: number }[] };
  expect(results.map(({ pk }) => pk)).not.toContain(3);
  await page.context().close();
});

test("without JavaScript a vote arrives, is confirmed, and links back to the site", async () => {
  const before = likesOf(4);
  const page = await open({ javaScriptEnabled: false });
  await cardOf(page, 4).up.click();
  await page.getByText("Counted. Thank you.").waitFor();
  expect(likesOf(4)).toBe(before + 1);
  await page.getByRole("link").click();
  await page.waitForURL(site.url);
  await page.context().close();
});

test("another site's page cannot vote through the relay, by script or by form", async () => {
  const before = likesOf(5);
  const page = await open({ bypassCSP: true });
  await page.goto(site.url.replace("127.0.0.1", "localhost") + EN);
  await cardOf(page, 5).up.click();
  await cardOf(page, 5).state("unconfirmed");
  await cardOf(page, 5).down.evaluate((button: HTMLButtonElement) => {
    button.form?.append(Object.assign(document.createElement("input"), { name: "pk", value: "5" }));
    button.form?.submit();
  });
  await page.waitForURL("**/apiv1/downvote/");
  expect(await page.locator("body").textContent()).toContain('"errno":403');
  expect(likesOf(5)).toBe(before);
  await page.context().close();
});
