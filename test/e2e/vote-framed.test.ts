/** A page in a frame neither shows nor sends votes and reports: the reader may not see what is clicked. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, EN, reportIn, useVotes } from "../support/browser/index.ts";

const votes = useVotes();

/** Opens a page of the host with the site in a frame. `localhost` is another site than 127.0.0.1. */
async function framed(page: Page, host: string): Promise<Frame> {
  const iframe = `<iframe width="600" height="600" src="${votes.site.url}${EN}"></iframe>`;
  const framer = `<!doctype html><title>Framer</title>${iframe}`;
  writeFileSync(join(votes.site.folder, "framer.html"), framer);
  const { port } = new URL(votes.site.url);
  await page.goto(`http://${host}:${port}/framer.html`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error("the page has no frame");
  return frame;
}

/** Where the first vote and the report are on the page itself. */
async function places(): Promise<{ x: number; y: number }[]> {
  const page = await (await votes.reader({ viewport: { width: 600, height: 600 } })).newPage();
  await page.goto(`${votes.site.url}${EN}`);
  const card = cardOf(page, 1);
  const buttons = await Promise.all([card.up, card.down].map((it) => it.boundingBox()));
  await card.more.click();
  await reportIn(page).first.click();
  const boxes = [...buttons, await reportIn(page).second.boundingBox()];
  await page.context().close();
  return boxes.map((box) => ({ x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 }));
}

const FRAMERS = [
  ["another site", "localhost"],
  ["the site itself", "127.0.0.1"],
] as const;

test.each(FRAMERS)("in a frame of %s no vote can be clicked", async (_, host) => {
  const where = await places();
  const page = await (await votes.reader()).newPage();
  const frame = await framed(page, host);
  await frame.waitForFunction(() => customElements.get("vote-box") !== undefined);
  expect(await frame.locator("vote-box").count()).toBe(6);
  expect(await frame.locator("vote-box :is(button, summary)").count()).toBe(0);
  await frame.locator("#q1 .more").click();
  await frame.locator('#card-menu [data-act="keep"]').waitFor();
  expect(await frame.locator("#card-menu summary").isVisible()).toBe(false);
  await page.keyboard.press("Escape");
  expect(await frame.locator("#q1 data").textContent()).toBe("60");
  // Another tab's vote is no reason to show anything either.
  await frame.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "vote:/:1" })));
  const corner = await page.locator("iframe").boundingBox();
  for (const { x, y } of where) {
    await page.mouse.click((corner?.x ?? 0) + 2 + x, (corner?.y ?? 0) + 2 + y);
  }
  // Some keys follow a link to another page of the site, which is in the frame then.
  for (let key = 0; key < 20; key++) {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  }
  await page.waitForTimeout(300);
  expect(votes.service.journal).toEqual([]);
});

test.each(FRAMERS)("in a frame of %s no vote is shown before its script runs", async (_, host) => {
  const page = await (await votes.reader()).newPage();
  await page.route("**/_astro/*.js", (route) => route.abort());
  const frame = await framed(page, host);
  const controls = frame.locator("vote-box :is(button, summary)");
  expect(await controls.count()).toBeGreaterThan(0);
  expect(await controls.filter({ visible: true }).count()).toBe(0);
  await page.goto(votes.site.url + EN);
  const own = page.locator("vote-box :is(button, summary)");
  expect(await own.filter({ visible: true }).count()).toBeGreaterThan(0);
});
