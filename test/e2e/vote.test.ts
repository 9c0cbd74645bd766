/** One POST a quote and browser, and the state that follows from its answer; the service's journal is the oracle. */
import { expect, test } from "vitest";
import { cardOf, EN, useVotes } from "../support/browser/index.ts";
import type { ReplyName } from "../support/votes/index.ts";

const votes = useVotes();

const BUSY = "The service is busy. Please try again";

// What each status and body means is a table of `readAnswer()`: here are the ways in which a browser gets them.
test.each<[ReplyName, string, string]>([
  ["ok", "counted", "Counted. Thank you."],
  ["noCors", "unconfirmed", "Sent, but not confirmed."],
  ["cut", "unconfirmed", "Sent, but not confirmed."],
  ["redirect", "unconfirmed", "Sent, but not confirmed."],
  ["badRequest", "refused", "The service refused this."],
  ["throttled", "later", `${BUSY} in 5 minutes.`],
  ["throttledForDays", "later", `${BUSY} in 3 days.`],
  ["throttledUnreadable", "later", `${BUSY} later.`],
])(
  "a vote answered by %s is %s, sent once, and put back unless it may have counted",
  async (reply, state, words) => {
    const page = await votes.open();
    const card = cardOf(page, 2);
    votes.service.reply = reply;
    // Its headers: a connection that dies before them is another case.
    const begun = reply === "cut" ? page.waitForResponse(/upvote/) : null;
    await card.up.click();
    if (begun !== null) {
      await begun;
      await card.state("sending");
      votes.service.dropConnections();
    }
    await card.state(state);
    expect(await card.words.textContent()).toBe(words);
    const kept = state === "counted" || state === "unconfirmed";
    expect(await card.count.textContent()).toBe(kept ? "51" : "50");
    expect(await card.up.getAttribute("aria-pressed")).toBe(String(kept));
    expect(await card.up.evaluate((button) => document.activeElement === button)).toBe(true);
    const headers = votes.service.journal[0]?.headers;
    expect(headers?.["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(headers?.cookie).toBeUndefined();

    // What may have counted is closed for good, what was refused is the reader's to try again.
    votes.service.reply = "ok";
    await page.reload();
    await card.down.click();
    await card.state(kept ? "already" : "counted");
    expect(votes.service.posts()).toEqual(["upvote 2", ...(kept ? [] : ["downvote 2"])]);
  },
);

test("a vote that is not answered is unconfirmed, and a late answer still counts", async () => {
  const page = await votes.open(EN, await votes.reader());
  await page.clock.install();
  const card = cardOf(page, 1);
  votes.service.reply = "silence";
  await card.up.click();
  await card.state("sending");
  expect(await card.count.textContent()).toBe("61");
  await page.clock.fastForward(30_000);
  await card.state("unconfirmed");
  await card.up.click();
  await votes.service.answerSilent("ok");
  await card.state("counted");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

test("offline, nothing is sent and nothing is remembered", async () => {
  const page = await votes.open(EN, await votes.reader());
  const card = cardOf(page, 1);
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await card.up.click();
  await card.state("offline");
  expect(await card.count.textContent()).toBe("60");
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await page.waitForTimeout(300);
  expect(votes.service.posts()).toEqual([]);
  await card.up.click();
  await card.state("counted");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

test("a service that asked to be left alone is not asked again, for any quote", async () => {
  const page = await votes.open();
  votes.service.reply = "throttled";
  await cardOf(page, 1).up.click();
  await cardOf(page, 1).state("later");
  await cardOf(page, 2).down.click();
  await cardOf(page, 2).state("later");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

test("a connection that dies is not tried again by the browser either, once answers close theirs", async () => {
  const page = await votes.open();
  await cardOf(page, 1).up.click();
  await cardOf(page, 1).state("counted");
  votes.service.reply = "reset";
  await cardOf(page, 2).up.click();
  await cardOf(page, 2).state("unconfirmed");
  expect(votes.service.posts()).toEqual(["upvote 1", "upvote 2"]);
});
